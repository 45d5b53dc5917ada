//! The sections whose answers stand alone: stated, or assumed as they stand in the assumptions.

use std::collections::HashMap;

use crate::diag::{Diagnostic, quoted};
use crate::origin::Origin;
use crate::units::Bytes;

use super::answer::{Answer, Assumption};
use super::price::{Money, Per, Price};
use super::section::{Section, known};
use super::sections::{Criteria, Infrastructure, Office, Today, TodayVolume};

pub(super) fn criteria(section: &Section<'_>) -> Criteria {
    let criteria = Criteria::read(section);
    let weights = [
        &criteria.performance,
        &criteria.direct_file_access,
        &criteria.manageability,
        &criteria.cost,
        &criteria.backup,
    ];
    if weights.iter().all(|weight| weight.value == 0.0) {
        section.report(
            "criteria.performance",
            Diagnostic::error("SIT001", "all five criteria weigh 0, so nothing can be recommended")
                .help("give the most important criterion the highest weight, up to 10, or leave [criteria] out: then all weigh the same"),
            "the first of the five",
        );
    }
    criteria
}

/// A name on one line; reports what is none.
pub(super) fn name(section: &Section<'_>, path: &'static str) -> String {
    const CHARACTERS_MAX: usize = 300;
    let Some(text) = section.reader.text(known(path).key()) else {
        return String::new();
    };
    let name = text.value.trim();
    let length = name.chars().count();
    let label = if length == 0 {
        "found no character".to_owned()
    } else if length > CHARACTERS_MAX {
        format!("found {length} characters")
    } else if let Some(bad) = name.chars().find(|c| c.is_control() || is_direction(*c)) {
        format!("found the character U+{:04X}", u32::from(bad))
    } else {
        return name.to_owned();
    };
    section.report(
        path,
        Diagnostic::error(
            "SIT007",
            format!(
                "{:?} must be 1 to {CHARACTERS_MAX} visible characters on one line",
                section.reader.full(known(path).key())
            ),
        )
        .help(
            "any language is fine; line ends, control characters and marks that turn the direction of writing are not",
        ),
        &label,
    );
    String::new()
}

/// Characters that turn the direction of what follows, beyond their own text.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Most offices: a prediction takes a second for so many, and more than twice as long for twice as many.
const OFFICES_MAX: usize = 30;

/// The `[[people.site]]` tables.
pub(super) fn offices(people: &Section<'_>) -> Vec<Office> {
    let is_missing = people.reader.raw("site").is_none();
    if is_missing {
        assume_one_office(people);
    }
    let mut offices: Vec<Office> = Vec::new();
    let tables = people.reader.tables("site");
    if let Some(first_too_many) = tables.get(OFFICES_MAX) {
        let message = format!(
            "{} offices are more than {OFFICES_MAX}, each of which is a group of users and a network of its own",
            tables.len()
        );
        let place = first_too_many.place();
        people.reader.diagnostics().push(
            Diagnostic::error("SIT004", message)
                .at(place.source, place.span.clone(), "the first one too many")
                .help("add up the developers of offices that are about as far away"),
        );
        return Vec::new();
    }
    for (i, reader) in tables.into_iter().enumerate() {
        let section = Section { reader, prefix: format!("people.site.{i}."), ledger: people.ledger };
        section.require(&["people.site.name", "people.site.developers"]);
        let office_name = name(&section, "people.site.name");
        if offices.iter().any(|o| o.name == office_name) && !office_name.is_empty() {
            section.report(
                "people.site.name",
                Diagnostic::error("SIT008", format!("two offices are called {}", quoted(&office_name)))
                    .help("each office has one [[people.site]] table; add the developers up, or give it another name"),
                "the second",
            );
        }
        let developers = section.stated("people.site.developers");
        let developers = developers.unwrap_or_else(|| Answer::missing(0.0));
        offices.push(Office::read(&section, office_name, developers));
    }
    offices
}

/// No office named means one office. Without range: which others there may be cannot be guessed.
fn assume_one_office(people: &Section<'_>) {
    people.ledger.assumptions.borrow_mut().push(Assumption {
        field: "people.site".to_owned(),
        value: "one office".to_owned(),
        low: "one office".to_owned(),
        high: "one office".to_owned(),
        origin: Origin::Assumed { why: "no [[people.site]] names another office".to_owned() },
        value_override: "[]".to_owned(),
        low_override: "[]".to_owned(),
        high_override: "[]".to_owned(),
    });
}

/// A list that must not be empty where it is stated.
pub(super) fn at_least_one(section: &Section<'_>, path: &'static str, answer: Option<&Answer<Vec<String>>>) {
    let raw = section.reader.raw(known(path).key());
    let is_empty =
        raw.is_some_and(|value| matches!(&value.kind, crate::document::Kind::List(items) if items.is_empty()));
    if is_empty && answer.is_some() {
        section.report(
            path,
            Diagnostic::error("SIT004", format!("{path:?} must name at least one"))
                .help(known(path).why)
                .help("or leave the line out"),
            "found an empty list",
        );
    }
}

/// Reports lists that are empty.
pub(super) fn check_lists(section: &Section<'_>, infrastructure: &Infrastructure) {
    let i = infrastructure;
    at_least_one(section, "infrastructure.operating_systems", Some(&i.operating_systems));
    at_least_one(section, "infrastructure.protocols", Some(&i.protocols));
    at_least_one(section, "infrastructure.storage", Some(&i.storage));
    at_least_one(section, "infrastructure.filesystems", i.filesystems.as_ref());
}

/// The `[today]` table; `has_layout` where the site names the layout nearest to today's, which answers what no volume states.
pub(super) fn today(section: &Section<'_>, has_layout: bool) -> Today {
    let mut volumes: Vec<TodayVolume> = Vec::new();
    for (i, reader) in section.reader.tables("volume").into_iter().enumerate() {
        let volume = Section { reader, prefix: format!("today.volume.{i}."), ledger: section.ledger };
        volumes.push(today_volume(&volume, &volumes));
    }
    let holds_db = |volume: &TodayVolume| volume.roles.iter().any(|role| role == "db");
    // A volume whose roles could not be read was reported, and may hold it.
    let all_read = volumes.iter().all(|volume| !volume.roles.is_empty());
    if !volumes.is_empty() && all_read && !has_layout && !volumes.iter().any(holds_db) {
        section.report(
            "today.volume",
            Diagnostic::error("SIT015", "no [[today.volume]] holds the database").help(
                "name it: roles = [\"db\"], or state infrastructure.current_layout, which says where the rest lies",
            ),
            "in these tables",
        );
    }
    Today::read(section, volumes, None)
}

/// One `[[today.volume]]` table after those `before`.
fn today_volume(section: &Section<'_>, before: &[TodayVolume]) -> TodayVolume {
    const ROLES: &str = "today.volume.roles";
    const PROTOCOL: &str = "today.volume.protocol";
    section.require(&[ROLES]);
    let roles: Option<Answer<Vec<String>>> = section.stated(ROLES);
    at_least_one(section, ROLES, roles.as_ref());
    let roles = roles.map(|roles| roles.value).unwrap_or_default();
    let held = |role: &&String| before.iter().any(|volume| volume.roles.contains(role));
    if let Some(role) = roles.iter().find(held) {
        section.report(
            ROLES,
            Diagnostic::error("SIT013", format!("two volumes of today hold {role}, which lies on one"))
                .help("name each role in one [[today.volume]] table"),
            "the second",
        );
    }
    let mount_options = (section.reader.raw("mount_options").is_some())
        .then(|| name(section, "today.volume.mount_options"))
        .filter(|options| !options.is_empty());
    let volume = TodayVolume::read(section, roles, mount_options);
    let (array, protocol) = (&volume.array, &volume.protocol);
    let spoken = array.as_ref().and_then(|array| section.ledger.vocabulary.speaks.get(&array.value));
    if let (Some(array), Some(protocol), Some(spoken)) = (array, protocol, spoken)
        && !spoken.contains(&protocol.value)
    {
        section.report(
            PROTOCOL,
            Diagnostic::error("SIT014", format!("{} does not serve {}", array.value, protocol.value))
                .help(format!("it serves {}", spoken.join(", "))),
            "this protocol",
        );
    }
    volume
}

/// The `[[price]]` tables.
pub(super) fn prices(root: &Section<'_>) -> Vec<Price> {
    let mut prices: Vec<Price> = Vec::new();
    let mut places: HashMap<(String, Per, Option<u64>), usize> = HashMap::new();
    for reader in root.reader.tables("price") {
        let section = Section { reader, prefix: String::new(), ledger: root.ledger };
        section.require(&["price.item", "price.price"]);
        let item = section.stated::<String>("price.item");
        let size = section.stated("price.size");
        let price = Money::read(&section.reader, "price");
        let older = section.reader.word("per", Per::WORDS);
        let unit = section.reader.word("unit", Per::WORDS).or(older);
        if let (Some(item), Some(price)) = (item, price) {
            check_currency(&section, prices.first(), &price.value);
            if price.value.amount == 0.0 {
                section.report(
                    "price.price",
                    Diagnostic::warning("SIT112", format!("{} counts as free", item.value))
                        .help("leave the price out where it is not known"),
                    "a price of 0",
                );
            }
            let place = section.place(&price.place);
            let stated = unit.and_then(|unit| Per::of_word(unit.value));
            let per = Per::unit_of(&item.value, stated, section.ledger.vocabulary);
            let per = per.unwrap_or_else(|allowed| {
                wrong_unit(&section, &item.value, &allowed);
                Per::Unit
            });
            let item = item.value;
            let size: Option<Answer<Bytes>> = size;
            let size = size.map(|size| size.value);
            let key = (item.clone(), per, size.map(|size| size.get().to_bits()));
            let before = *places.entry(key).or_insert(prices.len());
            if let Some(before) = prices.get(before) {
                let first = before.money.origin.to_string();
                section.report(
                    "price.item",
                    Diagnostic::error("SIT017", format!("{} has two prices for the same unit and size", quoted(&item)))
                        .help(format!("the first is {first}")),
                    "the second",
                );
            }
            prices.push(Price { item, size, money: Answer::stated(price.value, place), per });
        }
        section.reader.finish();
    }
    prices
}

/// A price for a unit in which its item is not sold.
fn wrong_unit(section: &Section<'_>, item: &str, allowed: &[&str]) {
    let path = if section.reader.raw("unit").is_some() { "price.unit" } else { "price.per" };
    section.report(
        path,
        Diagnostic::error("SIT017", format!("{} has no price by this unit", quoted(item)))
            .help(format!("its units are {}", allowed.join(", "))),
        "not a unit of it",
    );
}

fn check_currency(section: &Section<'_>, first: Option<&Price>, price: &Money) {
    let Some(first) = first else { return };
    let currency = &first.money.value.currency;
    if *currency != price.currency {
        section.report(
            "price.price",
            Diagnostic::error("SIT009", format!("all prices must be in one currency, and the first is in {currency}"))
                .help("convert it; Plimsoll has no exchange rates"),
            &format!("found {}", price.currency),
        );
    }
}
