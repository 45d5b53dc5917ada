//! Every question matters: each field moves something of the advice on some site, or says for what it is kept.
//!
//! Fields come from [`FIELDS`], so that a new one is tested by being there. An answer that only comes back as it
//! was given, in words or as a number, is no effect. To search sites and values for an effect takes minutes; what was found
//! is kept in [`KEPT`] and looked at again.

use plimsoll::advisor::{self, advise, best_of_layout, bill, missed};
use plimsoll::catalog::Catalog;
use plimsoll::parallel;
use plimsoll::report::{Inputs, advice_json};
use plimsoll::site::{self, FIELDS, Field, Kind, Site};
use plimsoll::system::capacity::{self, RoleSize};
use plimsoll::system::{Deployment, Prediction, predict};
use plimsoll::workload::{Load, from_site};
use serde_json::{Value, json};

use crate::cli::SITES;
use crate::kept;
use crate::shared::{CALIBRATION, CATALOG, VOCABULARY};

/// A line a field: where it has an effect, and two values of it that have different ones.
const KEPT: &str = "tests/it/field_effects.txt";

/// A site, and a layout that it can have.
struct Base {
    text: String,
    layout: &'static str,
}

/// A site of every sort that there is a sort of: old and new, near and far, with each kind of storage.
fn generated(number: usize) -> Base {
    fn pick<T: Copy>(number: usize, turn: usize, of: &[T]) -> T {
        of[(number + turn) % of.len()]
    }
    let (storage, layout) = pick(
        number,
        0,
        &[
            ("", "single-volume"),
            (
                "protocols = [\"local\", \"fc\", \"nfsv3\"]\nstorage = [\"fas3270\", \"local-raid\"]\n\
                 storage_network = \"fc-8g\"\n",
                "split",
            ),
            ("operating_systems = [\"windows\"]\nstorage = [\"local-raid\"]\n", "single-volume"),
            ("storage = [\"flasharray\", \"flashblade\"]\nprotocols = [\"iscsi\", \"nfsv3\"]\n", "san-nas-edges"),
            ("operating_systems = [\"solaris\"]\nstorage = [\"storagetek-3510\"]\n", "san-four-volumes"),
        ],
    );
    let developers = pick(number, 0, &[60, 400, 150, 1000, 300]);
    let release = pick(number, 0, &["2024.2", "2016.2", "2003.1", "2023.1", "2006.2"]);
    let office = pick(number, 0, &["", "90 ms", "", "180 ms", ""]);
    let office = if office.is_empty() {
        String::new()
    } else {
        format!(
            "[[people.site]]\nname = \"Far\"\ndevelopers = {}\nround_trip = \"{office}\"\nbandwidth = \"100 Mb/s\"\n",
            developers / 4
        )
    };
    let text = format!(
        "schema = 1\nname = \"Any\"\n[people]\ndevelopers = {developers}\n{office}\
         [server]\nrelease = \"{release}\"\n[infrastructure]\n{storage}"
    );
    Base { text, layout }
}

fn bases() -> Vec<(String, Base)> {
    let mut bases: Vec<_> = (0..5).map(|number| (format!("generated {number}"), generated(number))).collect();
    // Everything on exports, the log too.
    let exports = Base {
        text: "schema = 1\nname = \"Exports\"\n[people]\ndevelopers = 40\n[infrastructure]\nstorage = [\"fas3270\"]\n\
               protocols = [\"nfsv3\"]\n"
            .to_owned(),
        layout: "nfs-all",
    };
    bases.push(("exports".to_owned(), exports));
    let layouts = ["local-db-san-depot", "local-nvme-nas-depot", "split", "flasharray-flashblade", "san-four-volumes"];
    for (name, layout) in SITES.into_iter().zip(layouts) {
        let text = plimsoll::document::read_text(format!("assets/examples/{name}.toml").as_ref());
        let text = text.expect("the example is there");
        bases.push((name.to_owned(), Base { text, layout }));
    }
    bases
}

fn read(text: &str, set: &str) -> Option<Site> {
    let set: Vec<String> = (!set.is_empty()).then(|| set.to_owned()).into_iter().collect();
    site::parse("site.toml", text, &set, &VOCABULARY).ok()
}

/// Texts after `--set field=` over the range of a field.
fn values(field: &Field, path: &str) -> Vec<String> {
    let words = |words| VOCABULARY.words(words).into_iter();
    match field.kind {
        Kind::YesNo => vec!["true".to_owned(), "false".to_owned()],
        Kind::Word(set) => words(set).map(|word| format!("{word:?}")).collect(),
        Kind::List(set) => {
            let all: Vec<&str> = words(set).collect();
            let one = all.iter().map(|word| format!("[{word:?}]"));
            one.chain([format!("{all:?}"), "[]".to_owned()]).collect()
        }
        Kind::Tables => [
            "[]",
            "[{ name = \"Far\", developers = 20, round_trip = \"200 ms\" }]",
            "[{ item = \"nvme\", price = \"900 EUR\" }]",
            "[{ roles = [\"db\"], medium = \"nvme\", drives = 2 }]",
            "[{ roles = [\"db\"], medium = \"disk-10k\", drives = 4 }]",
            "[{ name = \"X\", kind = \"all-flash block\", usable = \"900 TB\" }]",
            "[{ name = \"X\", kind = \"disk file\", usable = \"900 TB\" }]",
        ]
        .map(str::to_owned)
        .to_vec(),
        Kind::Release => ["2002.1", "2012.1", "2016.2", "2024.2"].map(|release| format!("\"{release}\"")).to_vec(),
        Kind::Money => vec!["\"10 EUR\"".to_owned(), "\"1000000 EUR\"".to_owned()],
        _ => {
            let usual = generated(1).text;
            let assumed = read(&usual.replace("round_trip", "# "), "").map(|site| site.assumptions());
            let assumed = assumed.unwrap_or_default().into_iter();
            let ends = assumed.filter(|a| a.field == path).flat_map(|a| [a.low_override, a.high_override]);
            let limits = field.limits.into_iter().flat_map(|(low, high)| [low, high]);
            let limits =
                limits.map(|limit| if limit.parse::<f64>().is_ok() { limit.to_owned() } else { format!("{limit:?}") });
            let middling = ["3", "30"].map(str::to_owned);
            let middling = middling.into_iter().filter(|_| field.kind == Kind::Count);
            ends.chain(middling).chain(limits).collect()
        }
    }
}

/// The best of one layout, with what its volumes hold and what it does under the load: a part of the answer that is quickly made.
struct OneLayout {
    deployment: Deployment,
    load: Load,
    sizes: Vec<RoleSize>,
    prediction: Result<Prediction, String>,
}

impl OneLayout {
    fn of(base: &Base, site: &Site, catalog: &Catalog) -> Option<Self> {
        let deployment = best_of_layout(site, catalog, &CALIBRATION, base.layout).ok()?;
        let load = from_site::load(site);
        let sizes = capacity::sizes(site, &load, catalog, &CALIBRATION);
        let prediction = predict(&deployment, &load, catalog, &CALIBRATION);
        Some(Self { deployment, load, sizes, prediction: prediction.map_err(|error| error.to_string()) })
    }
}

/// What one layout does under the load, and what its volumes hold.
fn forecast(base: &Base, site: &Site) -> String {
    let Some(found) = OneLayout::of(base, site, &CATALOG) else {
        return "none".to_owned();
    };
    let (volumes, sizes) = (&found.deployment.volumes, &found.sizes);
    match found.prediction {
        Ok(p) => format!("{volumes:?} {sizes:?} {:?} {:?} {:?}", p.classes, p.resources, p.locks),
        Err(error) => error,
    }
}

/// Which targets one layout misses, what is bought for it, and what happens when a part of it is lost.
fn judged(base: &Base, site: &Site) -> String {
    let catalog = &*site.equipped(&CATALOG);
    let Some(found) = OneLayout::of(base, site, catalog) else {
        return "none".to_owned();
    };
    let deployment = &found.deployment;
    let shown = match found.prediction {
        Ok(shown) => shown,
        Err(error) => return error,
    };
    let known = (site, catalog, &*CALIBRATION);
    let bought = bill(known, deployment, (&found.load, &found.sizes), &shown);
    let lost = advisor::recovery(site, catalog, &CALIBRATION, deployment, &found.load, &shown);
    let missed = missed(site, &shown);
    let amounts: Vec<_> = bought.lines.iter().map(|line| (&line.item, line.quantity.at_horizon)).collect();
    let costs = (bought.once(), bought.per_year());
    let (durations, disasters) = (&lost.durations, &lost.disasters);
    format!("{missed:?} {amounts:?} {costs:?} {durations:?} {disasters:?} {:?}", lost.availability)
}

/// What the system that is there does, as far as it is stated.
fn there(site: &Site) -> String {
    let observed = advisor::observed(site, &VOCABULARY, &CATALOG, &CALIBRATION);
    let site = observed.as_ref().unwrap_or(site);
    let Ok(system) = advisor::today::system(site, &CATALOG, &CALIBRATION) else {
        return "none".to_owned();
    };
    let prediction = predict(&system.deployment, &system.load, &CATALOG, &CALIBRATION);
    let found = advisor::today::findings(site, &CATALOG, &CALIBRATION, &system);
    let found: Vec<_> = found.iter().map(|f| (f.rule, f.severity)).collect();
    match prediction {
        Ok(p) => format!(
            "{:?} {:?} {:?} {:?} {found:?}",
            site.observed,
            p.classes,
            p.resources,
            system.space(site, &CATALOG)
        ),
        Err(error) => error.to_string(),
    }
}

/// The whole answer.
fn answer(site: &Site) -> Value {
    let catalog = &*site.equipped(&CATALOG);
    let advice = advise(site, &VOCABULARY, catalog, &CALIBRATION);
    let inputs = Inputs { site, catalog, calibration: &CALIBRATION };
    advice_json(&inputs, &advice)
}

/// What is bought, and what happens when a part is lost.
fn bought_and_lost(site: &Site) -> String {
    let answer = answer(site);
    [&answer["bill"], &answer["costs"], &answer["recovery"]].map(ToString::to_string).concat()
}

/// What is advised, without what only repeats an answer: sentences, evidence, assumptions, the server's own numbers.
fn advice(site: &Site) -> Value {
    let answer = answer(site);
    let r = &answer["recommendation"];
    let findings = answer["findings"].as_array().into_iter().flatten();
    let findings = findings.map(|f| json!([f["rule"], f["severity"]]));
    let alternatives = answer["alternatives"].as_array().into_iter().flatten();
    let alternatives =
        alternatives.map(|a| json!([a["layout"], a["edges"], a["volumes"], a["scores"]["total"], a["predictions"]]));
    let limits = answer["answer"]["limits"].as_array().into_iter().flatten();
    json!({
        "limits": limits.map(|limit| &limit["when"]).collect::<Vec<_>>(),
        "layout": [r["layout"], r["edges"], r["cache"], r["proxies"], r["volumes"], r["shared_depot"]],
        "server": [r["server"]["model"], r["server"]["operating_system"], r["server"]["memory_rule_bytes"], r["server"]["memory_all_bytes"]],
        "commits": [r["largest_commit_s"], r["branch_commit_s"]],
        "missed": r["targets_missed"].as_array().map(Vec::len),
        "score": r["scores"]["total"],
        "prediction": [answer["predictions"], answer["resources"], answer["locks"], answer["memory"]],
        "growth": answer["headroom"],
        "recovery": recovery(&answer["recovery"]),
        "findings": findings.collect::<Value>(),
        "alternatives": alternatives.collect::<Value>(),
    })
}

/// What is judged of failure and recovery, and how long everything takes.
fn recovery(section: &Value) -> Value {
    let rows = |key: &str| section[key].as_array().into_iter().flatten();
    let durations = rows("durations").map(|row| json!([row["duration_s"], row["verdict"]]));
    let disasters = rows("disasters").map(|row| json!([row["duration_s"], row["loses_s"], row["rto"], row["rpo_met"]]));
    json!([durations.collect::<Vec<_>>(), disasters.collect::<Vec<_>>(), section["availability"]["met"],])
}

/// Two values of a field that make two answers of a place's view.
fn pair(place: &Place, path: &str, values: &[String]) -> Option<[String; 2]> {
    let mut first: Option<(&String, String)> = None;
    for value in values {
        let Some(seen) = place.seen(path, value) else {
            continue;
        };
        let (other, before) = first.get_or_insert_with(|| (value, seen.clone()));
        if *before != seen {
            return Some([(*other).clone(), value.clone()]);
        }
    }
    None
}

/// Where a field is set: that of an office in the first of them.
fn path_of(field: &Field) -> String {
    for list in ["people.site", "today.volume", "equipment", "price"] {
        if let Some(key) = field.path.strip_prefix(list).and_then(|rest| rest.strip_prefix('.')) {
            return format!("{list}.0.{key}");
        }
    }
    field.path.to_owned()
}

/// A site, and what is looked at there: a part of the answer where that is quick, or the whole.
struct Place {
    name: String,
    base: Base,
    view: fn(&Base, &Site) -> String,
}

impl Place {
    /// Of a site that has the layout `split`.
    fn new(name: impl Into<String>, text: String, view: fn(&Base, &Site) -> String) -> Self {
        let layout = "split";
        let base = Base { text, layout };
        Self { name: name.into(), base, view }
    }

    /// What is seen with this value; `None` if the site refuses it.
    fn seen(&self, path: &str, value: &str) -> Option<String> {
        let site = read(&self.base.text, &format!("{path}={value}"))?;
        Some((self.view)(&self.base, &site))
    }
}

/// Where a field may show its effect, the quick places first.
fn places(field: &Field) -> Vec<Place> {
    let usual = || generated(1).text;
    // What is there today moves what is advised to change, and nothing of a new design.
    let of_today = ["infrastructure.current_layout", "people.site.proxy"];
    if field.path.starts_with("today.") || of_today.contains(&field.path) {
        let volumes =
            [("disks", "medium = \"disk-10k\"\n"), ("exports", "array = \"fas3270\"\nprotocol = \"nfsv3\"\n")];
        let places = volumes.map(|(name, volume)| {
            let text = format!("{}[[today.volume]]\nroles = [\"db\"]\n{volume}", usual());
            let text = match field.path {
                "infrastructure.current_layout" | "today.volume" => usual(),
                // How long each takes says how many there are a day where it is known how many are in flight.
                "today.large_sync_time" => format!("{text}[workload]\nconcurrent_syncs = 8\n"),
                // What a volume holds matters where another has the database.
                "today.volume.roles" => format!(
                    "{}[[today.volume]]\nroles = [\"depot\"]\n{volume}\
                     [[today.volume]]\nroles = [\"db\"]\nmedium = \"nvme\"\n",
                    usual()
                ),
                _ => text,
            };
            Place::new(format!("today: {name}"), text, |_, site| there(site))
        });
        return places.into();
    }
    // Prices make the bill.
    if field.path.starts_with("price") {
        let text = match field.path {
            "price" => usual(),
            _ => format!("{}[[price]]\nitem = \"nvme\"\nprice = \"900 EUR\"\n", usual()),
        };
        return vec![Place::new("bill: priced", text, |_, site| bought_and_lost(site))];
    }
    // What a system of one's own is matters where everything lies on it.
    if field.path.starts_with("equipment") {
        let ports = "ports = 1\nport_network = \"eth-1g\"\n";
        let places = ["all-flash block and file", "disk file"].map(|kind| {
            let text = format!(
                "schema = 1\nname = \"Own\"\n[people]\ndevelopers = 200\n[data]\nbinary_share = \"20 %\"\n\
                 depot_size = \"3 TB\"\n[infrastructure]\nstorage = [\"local-raid\"]\n\
                 [[equipment]]\nname = \"X\"\nkind = {kind:?}\nusable = \"30 TB\"\n{}",
                if field.path.contains("port") { ports } else { "" }
            );
            let text = match field.path {
                "equipment" => text.split("[[equipment]]").next().unwrap_or_default().to_owned(),
                _ => text,
            };
            [
                Place::new(format!("judged: {kind}"), text.clone(), judged),
                Place::new(format!("bill: {kind}"), text.clone(), |_, site| bought_and_lost(site)),
                Place::new(format!("advice: {kind}"), text, |_, site| advice(site).to_string()),
            ]
        });
        return places.into_iter().flatten().collect();
    }
    let layouts =
        bases().into_iter().map(|(name, base)| Place { name: format!("layout: {name}"), base, view: forecast });
    let all = || std::iter::once(("answered".to_owned(), answered())).chain(bases());
    let judged = all().map(|(name, base)| Place { name: format!("judged: {name}"), base, view: judged });
    let advised = all();
    let advised = advised.map(|(name, base)| Place {
        name: format!("advice: {name}"),
        base,
        view: |_, site| advice(site).to_string(),
    });
    layouts.chain(judged).chain(advised).collect()
}

/// A site with an answer to every question but for offices and the server's model, and few things to choose from.
fn answered() -> Base {
    let mut text = include_str!("../site_full.toml").to_owned();
    let offices = text.find("[[people.site]]").expect("offices");
    let after = text.find("[data]").expect("data");
    text.replace_range(offices..after, "");
    for (was, is) in [
        ("snapshot_reserve = \"20 %\"", "snapshot_reserve = \"5 %\""),
        ("model = \"dl580-g7\"", ""),
        ("\"fc\", \"iscsi\", \"nfsv3\"", "\"fc\", \"nfsv3\""),
        ("[\"xfs\", \"ext4\"]", "[\"xfs\"]"),
        ("storage_network = \"eth-1g\"", "storage_network = \"fc-8g\""),
        ("client_network = \"eth-1g\"", "client_network = \"eth-10g\""),
        ("depot_size = \"5 TB\"", "depot_size = \"1 TB\""),
    ] {
        assert!(text.contains(was), "{was} is not in site_full.toml");
        text = text.replace(was, is);
    }
    Base { text, layout: "split" }
}

/// The line of a field in [`KEPT`]: where it has an effect, and two values that have different ones. What is kept is looked at
/// again; only with `UPDATE=1` are others searched, in all places and over the whole range of the field.
fn effect(field: &Field) -> Option<String> {
    let path = path_of(field);
    let places = places(field);
    let kept = plimsoll::document::read_text(KEPT.as_ref()).unwrap_or_default();
    let kept = kept.lines().find_map(|line| {
        let mut parts = line.split('\t');
        let (name, place) = (parts.next()?, parts.next()?);
        (name == field.path).then(|| (place, parts.map(str::to_owned).collect::<Vec<_>>()))
    });
    let of_kept = kept.and_then(|(name, values)| {
        let place = places.iter().find(|place| place.name == name)?;
        Some((name.to_owned(), pair(place, &path, &values)?))
    });
    let search = || {
        let values = values(field, &path);
        places.iter().find_map(|place| Some((place.name.clone(), pair(place, &path, &values)?)))
    };
    let is_renewed = std::env::var_os("UPDATE").is_some();
    let (place, [one, other]) = of_kept.or_else(|| is_renewed.then(search).flatten())?;
    Some(format!("{}\t{place}\t{one}\t{other}\n", field.path))
}

#[test]
fn every_field_moves_the_advice() {
    let fields = FIELDS.iter();
    // A name is a label, which the next test looks for; the schema has one value.
    let fields: Vec<&Field> =
        fields.filter(|f| f.kind != Kind::Text && f.limits.is_none_or(|(low, high)| low != high)).collect();
    let effects = parallel::map(&fields, |field| effect(field));
    let idle = fields.iter().zip(&effects).filter(|(_, effect)| effect.is_none());
    let idle: Vec<&str> = idle.map(|(field, _)| field.path).collect();
    assert!(
        idle.is_empty(),
        "these answers change nothing: {idle:?}; tests/renew.sh pages looks for other values of them"
    );
    kept::page(KEPT, &effects.into_iter().flatten().collect::<String>());
}

#[test]
fn names_are_labels_of_the_answer() {
    let base = Base { text: include_str!("../site_full.toml").replace("\"5 TB\"", "\"1 TB\""), layout: "split" };
    for path in ["name", "people.site.0.name"] {
        let site = read(&base.text, &format!("{path}=\"Unheard-of\"")).unwrap();
        let advice = advise(&site, &VOCABULARY, &CATALOG, &CALIBRATION);
        let inputs = Inputs { site: &site, catalog: &CATALOG, calibration: &CALIBRATION };
        let answer = advice_json(&inputs, &advice).to_string();
        assert!(answer.contains("Unheard-of"), "{path}");
    }
}
