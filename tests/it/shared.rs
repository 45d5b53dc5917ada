//! What many tests need, made once for the whole binary: the catalogue with its numbers, and examples with their advice.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

use plimsoll::advisor::{self, Advice};
use plimsoll::calibration::Calibration;
use plimsoll::catalog::Catalog;
use plimsoll::site::{self, Site, Vocabulary};

pub(crate) static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::embedded);
pub(crate) static CALIBRATION: LazyLock<Calibration> = LazyLock::new(Calibration::embedded);
pub(crate) static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary::of(&CATALOG));

/// Catalogue, numbers and words of a fit.
pub(crate) struct Library {
    pub(crate) catalog: Catalog,
    pub(crate) calibration: Calibration,
    pub(crate) vocabulary: Vocabulary,
}

/// Those of the kept fit (`tests/it/frozen.rs`).
pub(crate) static FROZEN: LazyLock<Library> = LazyLock::new(|| {
    let (catalog, calibration) = crate::frozen::library();
    let vocabulary = Vocabulary::of(&catalog);
    Library { catalog, calibration, vocabulary }
});

/// A site with its advice.
pub(crate) struct Advised {
    pub(crate) site: Site,
    pub(crate) advice: Advice,
}

/// Examples by name and what is set otherwise, each advised by the first who asks.
type Examples = Mutex<BTreeMap<(String, Vec<String>), &'static OnceLock<Advised>>>;

fn example_of(
    examples: &Examples,
    (name, sets): (&str, &[&str]),
    (catalog, calibration, vocabulary): (&Catalog, &Calibration, &Vocabulary),
) -> &'static Advised {
    let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
    let place = {
        let mut known = examples.lock().unwrap_or_else(PoisonError::into_inner);
        let place = known.entry((name.to_owned(), sets.clone()));
        *place.or_insert_with(|| Box::leak(Box::default()))
    };
    place.get_or_init(|| {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(crate::cli::example(name));
        let site = site::load(&file, &sets, vocabulary);
        let site = site.unwrap_or_else(|d| panic!("{}", d.render()));
        let advice = advisor::advise(&site, vocabulary, catalog, calibration);
        Advised { site, advice }
    })
}

/// An example by the fit of today.
pub(crate) fn example(name: &str, sets: &[&str]) -> &'static Advised {
    static EXAMPLES: Examples = Mutex::new(BTreeMap::new());
    let world = (&*CATALOG, &*CALIBRATION, &*VOCABULARY);
    example_of(&EXAMPLES, (name, sets), world)
}

/// An example by the kept fit.
pub(crate) fn frozen_example(name: &str) -> &'static Advised {
    static EXAMPLES: Examples = Mutex::new(BTreeMap::new());
    let Library { catalog, calibration, vocabulary } = &*FROZEN;
    example_of(&EXAMPLES, (name, &[]), (catalog, calibration, vocabulary))
}
