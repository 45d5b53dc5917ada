//! Prices: the bill of materials, its sums, and what they change.

use serde_json::Value;

use crate::cli::{plimsoll, scratch, write};

const SITE: &str = "\
schema = 1
name = \"Priced\"
[people]
developers = 200
[data]
db_size = \"40 GB\"
depot_size = \"4 TB\"
depot_growth = \"20 %/year\"
[server]
local_disks = 8
local_medium = \"nvme\"
[infrastructure]
storage = [\"local-raid\", \"flasharray\", \"flashblade\"]
edges_max = 0
[horizon]
time = \"3 years\"
";

/// Prices of everything in which the layouts of that site differ.
fn prices(drive: &str, flasharray: &str, flashblade: &str) -> String {
    format!(
        "[[price]]\nitem = \"present-32c\"\nprice = \"20000 EUR\"\n\
         [[price]]\nitem = \"present-16c\"\nprice = \"20000 EUR\"\n\
         [[price]]\nitem = \"nvme\"\nunit = \"drive\"\nprice = \"{drive} EUR\"\n\
         [[price]]\nitem = \"flasharray\"\nunit = \"TB\"\nprice = \"{flasharray} EUR\"\n\
         [[price]]\nitem = \"flashblade\"\nunit = \"TB\"\nprice = \"{flashblade} EUR\"\n"
    )
}

fn advise(test: &str, text: &str, more: &[&str]) -> crate::cli::Ran {
    let folder = scratch(test);
    let path = write(&folder, "site.toml", text);
    let mut all = vec!["advise", path.as_str()];
    all.extend(more);
    plimsoll(&all)
}

fn json(test: &str, text: &str, more: &[&str]) -> Value {
    let mut all = vec!["--format", "json"];
    all.extend(more);
    advise(test, text, &all).json()
}

fn devices(answer: &Value) -> Vec<&str> {
    let volumes = answer["recommendation"]["volumes"].as_array().unwrap();
    volumes.iter().filter_map(|v| v["device"].as_str()).collect()
}

#[test]
fn a_price_list_changes_the_choice() {
    let costly = SITE.replace(
        "[people]",
        "[criteria]\nperformance = 1\ncost = 10\nmanageability = 0\nbackup = 0\ndirect_file_access = 0\n[people]",
    );
    let cheap_local = json("cheap_local", &format!("{costly}{}", prices("500", "9000", "9000")), &[]);
    let cheap_array = json("cheap_array", &format!("{costly}{}", prices("90000", "100", "90000")), &[]);
    assert_eq!(cheap_local["costs"]["basis"], "money", "{:#}", cheap_local["costs"]);
    assert_eq!(cheap_array["costs"]["basis"], "money", "{:#}", cheap_array["costs"]);
    assert!(devices(&cheap_local).iter().all(|d| *d == "local disks"));
    assert!(devices(&cheap_array).iter().all(|d| *d == "flasharray"));
}

#[test]
fn the_bill_adds_up() {
    let text = format!("{SITE}{}", prices("900", "900", "900"));
    let answer = json("adds_up", &text, &[]);
    let bill = answer["bill"].as_array().unwrap();
    let sum: f64 = bill.iter().filter_map(|line| line["total"].as_f64()).sum();
    let costs = &answer["costs"];
    assert!((costs["total"].as_f64().unwrap() - sum).abs() < 1e-6, "{costs:#}");
    assert!((costs["per_year"].as_f64().unwrap() * 3.0 - sum).abs() < 1e-3);
    assert!((costs["per_head"].as_f64().unwrap() * 200.0 - sum).abs() < 1e-3);
    for line in bill {
        let quantity = line["quantity"].as_f64().unwrap();
        assert!(quantity > 0.0 && quantity.fract() == 0.0, "{line:#}");
        let price = line["price"].as_f64().unwrap();
        assert!((line["total"].as_f64().unwrap() - quantity * price).abs() < 1e-6);
        assert!(line["origin"].as_str().unwrap().contains("site.toml:"));
    }
    // What recurs is paid as long as the horizon lasts.
    let line = "[[price]]\nitem = \"edge-licence\"\nprice = \"1 EUR\"\n\
                [[price]]\nitem = \"ram\"\nprice = \"2 EUR\"\n";
    let more = json("with_ram", &format!("{text}{line}"), &[]);
    let more = more["bill"].as_array().unwrap();
    assert!(more.iter().any(|line| line["item"] == "ram" && line["unit"] == "GiB"));
    assert!(!more.iter().any(|line| line["item"] == "edge-licence"));
}

#[test]
fn without_a_price_for_all_cost_is_relative_and_says_what_lacks() {
    let text = format!("{SITE}[[price]]\nitem = \"nvme\"\nprice = \"900 EUR\"\n");
    let answer = json("relative", &text, &[]);
    assert_eq!(answer["costs"]["basis"], "relative");
    let missing = answer["costs"]["missing"].to_string();
    assert!(missing.contains("flasharray") && !missing.contains("nvme"), "{missing}");
    let cost = answer["answer"]["cost"].as_str().unwrap();
    assert!(cost.contains("relative units"), "{cost}");
    let none = json("no_prices", SITE, &[]);
    assert_eq!(none["costs"]["basis"], "relative");
    assert!(none["bill"].as_array().unwrap().iter().all(|line| line["price"].is_null()));
}

#[test]
fn a_list_takes_the_place_of_the_files_prices() {
    let folder = scratch("price_list");
    let list = "item;price;unit;size\nnvme;700 EUR;drive;1.92 TB\nnvme;900 EUR;drive;\nflasharray;800 EUR;TB;\n\
                flashblade;\"800 EUR\";TB;\npresent-32c;1 EUR;;\npresent-16c;1 EUR;;\n";
    let list = write(&folder, "prices.csv", list);
    let text = format!("{SITE}[[price]]\nitem = \"nvme\"\nprice = \"1 USD\"\n");
    let answer = json("listed", &text, &["--prices", &list]);
    assert_eq!(answer["costs"]["currency"], "EUR", "{:#}", answer["costs"]);
    assert_eq!(answer["costs"]["basis"], "money");
    // Both sides of a comparison have its prices.
    let site = write(&folder, "site.toml", text.as_str());
    let ran = plimsoll(&["advise", &site, "--against", &site, "--prices", &list, "--format", "json"]);
    let answer = ran.json();
    assert_eq!(answer["results"].as_array().map(Vec::len), Some(0), "{answer:#}");
    for (text, says) in [
        ("item,price\nnvme,900\n", "prices.csv:2: found \"900\""),
        ("item,price\nnvmee,900 EUR\n", "did you mean \"nvme\"?"),
        ("thing,price\nnvme,900 EUR\n", "prices.csv:1: no column is called"),
        ("item,price,unit\nnvme,900 EUR,shelf\n", "prices.csv:2: \"shelf\" is no unit"),
        ("item,price\nnvme,900 EUR\nnvme,900 USD,x\n", "prices.csv:3: 3 cells"),
        ("item,price\nnvme,900 EUR\nflasharray,900 USD\n", "one currency"),
        (
            "item,price\nnvme,900 EUR\nram,6 EUR\nnvme,800 EUR\n",
            "prices.csv:4: nvme has two prices for the same unit and size; the first is",
        ),
        ("item,price,unit\nnvme,900 EUR,port\n", "prices.csv:2: nvme has no price by \"port\"; its units are drive"),
        ("item,price\n\"nvme,900 EUR\n", "not closed"),
        ("", "is empty"),
    ] {
        let list = write(&folder, "prices.csv", text);
        let ran = advise("listed_wrong", SITE, &["--prices", &list]);
        assert!(ran.refused().contains(says), "{says}: {}", ran.err);
    }
}

#[test]
fn wrong_units_and_double_prices_are_refused() {
    for (table, says) in [
        ("item = \"nvme\"\nunit = \"port\"\nprice = \"1 EUR\"", "its units are drive"),
        ("item = \"ram\"\nunit = \"TB\"\nprice = \"1 EUR\"", "its units are GiB"),
        ("item = \"nvme\"\nprice = \"1 EUR\"\n[[price]]\nitem = \"nvme\"\nprice = \"2 EUR\"", "two prices"),
    ] {
        let ran = advise("wrong_unit", &format!("{SITE}[[price]]\n{table}\n"), &[]);
        assert!(ran.refused().contains(says), "{}", ran.err);
    }
}

#[test]
fn the_choice_is_held_against_sampled_worlds() {
    let answer = json("worlds", SITE, &[]);
    let worlds = &answer["contest"]["worlds"];
    let all = worlds["layouts"].as_array().unwrap();
    assert_eq!(worlds["sampled"], 2000);
    assert_eq!(all[0]["layout"], answer["recommendation"]["layout"]);
    let shares: f64 = all.iter().map(|l| l["best_fraction"].as_f64().unwrap()).sum();
    assert!((shares - 1.0).abs() < 1e-9, "{all:#?}");
    let regret = |l: &Value| l["regret_fraction"].as_f64().unwrap();
    // None of the others would be clearly the better choice.
    assert!(all.iter().all(|l| regret(l) > regret(&all[0]) - 0.0101), "{all:#?}");
}

/// The drives of a bill, by item and size.
fn drives(answer: &Value) -> Vec<(&str, f64)> {
    let bill = answer["bill"].as_array().unwrap();
    let drives = bill.iter().filter(|line| line["unit"] == "drive");
    drives.map(|line| (line["item"].as_str().unwrap(), line["size_bytes"].as_f64().unwrap())).collect()
}

#[test]
fn only_sizes_with_a_price_are_bought() {
    let local = SITE.replace("[\"local-raid\", \"flasharray\", \"flashblade\"]", "[\"local-raid\"]");
    let sizes = "[[price]]\nitem = \"nvme\"\nsize = \"1.92 TB\"\nprice = \"500 EUR\"\n\
                 [[price]]\nitem = \"nvme\"\nsize = \"7.68 TB\"\nprice = \"1500.50 EUR\"\n\
                 [[price]]\nitem = \"present-16c\"\nprice = \"9000.50 EUR\"\n";
    for depot in ["500 GB", "4 TB"] {
        let text = local.replace("4 TB", depot);
        let answer = json("sizes", &format!("{text}{sizes}"), &[]);
        let found = drives(&answer);
        assert!(!found.is_empty());
        let ordered = |size: f64| [1.92e12, 7.68e12].iter().any(|s| (s / size - 1.0).abs() < 1e-6);
        assert!(found.iter().all(|(item, size)| *item == "nvme" && ordered(*size)), "{depot}: {found:?}");
        // The layout has the drives that are in the bill.
        let volumes = answer["recommendation"]["volumes"].as_array().unwrap();
        let raid = volumes.iter().filter_map(|v| v["raid"].as_str());
        assert!(raid.clone().all(|raid| raid.contains("1.92 TB") || raid.contains("7.68 TB")), "{depot}: {volumes:#?}");
    }
}

#[test]
fn a_size_fits_as_it_is_shown_and_unused_prices_are_named() {
    let folder = scratch("as_shown_list");
    let list = "item;size;unit;price\nnvme;15.4 TB;drive;2100 EUR\nssd-sas;3.84 TB;drive;500 EUR\npresent-16c;;;9000 EUR\n\
                proxy;;;1000 EUR\n";
    let list = write(&folder, "prices.csv", list);
    // The cache of its proxy needs a drive of 15.36 TB.
    let text = "schema = 1\nname = \"Far\"\n[people]\ndevelopers = 500\n\
                [[people.site]]\nname = \"Lyon\"\ndevelopers = 60\nround_trip = \"30 ms\"\nbandwidth = \"200 Mb/s\"\n\
                [data]\ndepot_size = \"6 TB\"\n[server]\nlocal_disks = 8\nlocal_medium = \"nvme\"\n\
                [infrastructure]\nproxies = true\nstorage = [\"local-raid\"]\nedges_max = 0\n[proxy]\ncache = \"12 TB\"\n";
    let answer = json("as_shown", text, &["--prices", &list]);
    let bill = answer["bill"].as_array().unwrap();
    let drives: Vec<&Value> = bill.iter().filter(|line| line["unit"] == "drive").collect();
    assert!(drives.iter().any(|line| line["what"].to_string().contains("prox")), "{drives:#?}");
    assert!(drives.iter().all(|line| line["price"] == 2100.0), "{drives:#?}");
    let cost = answer["answer"]["cost"].as_str().unwrap();
    assert!(cost.ends_with("1 of 4 prices is for nothing in this bill: ssd-sas of 3.84 TB."), "{cost}");
}

#[test]
fn the_first_screen_has_the_sums_and_what_has_no_price() {
    let local = SITE.replace("[\"local-raid\", \"flasharray\", \"flashblade\"]", "[\"local-raid\"]");
    let server = "[[price]]\nitem = \"present-16c\"\nprice = \"9000.50 EUR\"\n";
    let screen = advise("screen", &format!("{local}{server}"), &[]);
    let screen = screen.done().split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["9,000.50 EUR over 3 years", " EUR a year", " EUR a head", "no price (1 of 2 lines): NVMe drive of"] {
        assert!(screen.contains(part), "{part}: {screen}");
    }
    let answer = json("screen_json", &format!("{local}{server}"), &[]);
    let costs = &answer["costs"];
    assert!(costs["total"].is_null(), "a sum that leaves out the drives is no total: {costs:#}");
    assert_eq!(costs["priced"], 9000.5);
    assert_eq!(costs["once"], 9000.5);
    assert!(costs["unpriced"].to_string().contains("nvme of"), "{costs:#}");
    // Free is a price, and said to be one.
    let free = "[[price]]\nitem = \"nvme\"\nprice = \"0 EUR\"\n";
    let ran = advise("free", &format!("{local}{server}{free}"), &["--full"]);
    assert!(ran.out.contains("nvme counts as free"), "{}", ran.out);
}

/// A list with several faults is mended in one pass, and what a bill lacks is named as a list calls it.
#[test]
fn a_price_list_says_all_that_is_wrong_and_what_it_lacks() {
    let folder = scratch("price_list_of_a_quote");
    let path = write(&folder, "site.toml", SITE);
    let bad = "item;size;unit;price\nnvme;7,68 TB;drive;900 EUR\nflasharray;;TB;400 USD\nnothing;;unit;1 EUR\nflashblade;;GB;1 EUR\n";
    let bad = write(&folder, "bad.csv", bad);
    let ran = plimsoll(&["advise", &path, "--prices", &bad]);
    let wrong = ran.refused();
    for line in 2..=5 {
        let named = wrong.contains(&format!("bad.csv:{line}:"));
        assert_eq!(named, line != 3, "{line}: {wrong}");
    }
    let list = "item,size,unit,price\nnvme,7.68 TB,drive,900 EUR\ncloud-gp3,,IOPS-month,1 EUR\n";
    let list = write(&folder, "list.csv", list);
    let answer = plimsoll(&["advise", &path, "--prices", &list, "--format", "json", "--no-confirm"]).json();
    let cost = answer["answer"]["cost"].as_str().unwrap();
    for item in answer["costs"]["unpriced"].as_array().unwrap() {
        assert!(cost.contains(&format!("({})", item.as_str().unwrap())), "{cost}");
    }
    assert!(cost.contains("1 of 2 prices is for nothing in this bill: IOPS-month of cloud-gp3."), "{cost}");
}

#[test]
fn where_most_has_no_price_there_is_no_total() {
    let one = "[[price]]\nitem = \"nvme\"\nunit = \"drive\"\nprice = \"900 EUR\"\n";
    let array = SITE.replace("\"local-raid\", ", "");
    let text = format!("{array}{one}");
    let full = advise("mostly_unpriced", &text, &["--full", "--no-confirm"]);
    let said = full.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("No total: ") || !said.contains(" EUR over 3 years ("), "{said}");
    let all = format!("{SITE}{}", prices("500", "9000", "9000"));
    let full = advise("mostly_priced", &all, &["--full", "--no-confirm"]);
    let said = full.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(" EUR over 3 years ("), "{said}");
}
