//! A cloud as it is bought: size, operations and bandwidth of each volume, and the file service for depots.

use plimsoll::document::read_text;
use serde_json::Value;

use crate::cli::{plimsoll, scratch, write};

const SITE: &str = "\
schema = 1
name = \"Cloud\"
[people]
developers = 300
[data]
db_size = \"60 GB\"
depot_size = \"6 TB\"
[server]
model = \"cloud-8xl\"
[infrastructure]
edges_max = 0
";

fn volumes(answer: &Value) -> Vec<Value> {
    answer["recommendation"]["volumes"].as_array().unwrap().clone()
}

#[test]
fn volumes_are_bought_for_the_peak_and_billed() {
    let prices = "[[price]]\nitem = \"cloud-8xl\"\nunit = \"hour\"\nprice = \"2 USD\"\n\
        [[price]]\nitem = \"cloud-gp3\"\nunit = \"GB-month\"\nprice = \"0.08 USD\"\n\
        [[price]]\nitem = \"cloud-gp3\"\nunit = \"IOPS-month\"\nprice = \"0.005 USD\"\n\
        [[price]]\nitem = \"cloud-gp3\"\nunit = \"MB/s-month\"\nprice = \"0.04 USD\"\n\
        [[price]]\nitem = \"cloud-io2\"\nunit = \"GB-month\"\nprice = \"0.125 USD\"\n\
        [[price]]\nitem = \"cloud-io2\"\nunit = \"IOPS-month\"\nprice = \"0.065 USD\"\n";
    let folder = scratch("cloud_bought");
    let path = write(&folder, "site.toml", format!("{SITE}storage = [\"cloud-block\"]\n{prices}"));
    let out = folder.join("out");
    let out = out.to_str().unwrap();
    let answer = plimsoll(&["advise", &path, "--format", "json", "--out", out]).json();
    for volume in volumes(&answer) {
        let bought = &volume["bought"];
        let operations = bought["operations_per_s"].as_f64().unwrap();
        let bandwidth = bought["bandwidth_bytes_per_s"].as_f64().unwrap();
        assert!(operations <= 40_000.0 && bandwidth <= 1.25e9, "the instance's caps: {bought}");
        assert!(operations >= volume["io_per_s"].as_f64().unwrap(), "{volume:#}");
        assert!(bandwidth >= volume["transfer_bytes_per_s"].as_f64().unwrap(), "{volume:#}");
    }
    let bill = answer["bill"].as_array().unwrap();
    let hours = bill.iter().find(|line| line["unit"] == "hour").unwrap();
    let years = answer["costs"]["horizon_s"].as_f64().unwrap() / (365.25 * 86_400.0);
    assert!((hours["total"].as_f64().unwrap() - 2.0 * 8766.0 * years).abs() < 1.0, "{hours:#}");
    assert!(bill.iter().any(|line| line["unit"] == "GB-month"));
    let terraform = folder.join("out/config/terraform/plimsoll.auto.tfvars");
    let terraform = read_text(&terraform).unwrap();
    for part in [
        "plimsoll_servers = {",
        "\"commit-server\" = {",
        "type = \"gp3\"",
        "iops = ",
        "throughput_mib_s = ",
        "memory_gib = 256",
    ] {
        assert!(terraform.contains(part), "{part}: {terraform}");
    }
    for volume in volumes(&answer) {
        // A service keeps snapshots beside its volumes: free space alone is provided.
        let [data, size] = ["data_bytes", "size_bytes"].map(|key| volume[key].as_f64().unwrap());
        assert!(size < 1.3 * data, "{volume:#}");
        // No operation moves more than 256 KiB.
        let bought = &volume["bought"];
        if let [Some(operations), Some(bandwidth)] =
            ["operations_per_s", "bandwidth_bytes_per_s"].map(|key| bought[key].as_f64())
        {
            assert!(bandwidth <= operations * 262_144.0, "{volume:#}");
        }
    }
    // A throughput is bought of gp3 alone.
    for line in terraform.lines().filter(|l| l.contains("type = \"io2\"")) {
        assert!(!line.contains("throughput"), "{line}");
    }
    // Less than is included cannot be asked for.
    let servers = terraform.lines().filter(|l| l.contains("mount_point"));
    for line in servers.filter(|l| l.contains("type = \"gp3\"")) {
        let (_, rest) = line.split_once("throughput_mib_s = ").unwrap();
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next().unwrap();
        assert!(digits.parse::<u32>().unwrap() >= 125, "{line}");
    }
}

/// A volume is enlarged as its data grow, and the instance when the load needs it: the bill adds up what each month costs.
#[test]
fn a_bill_of_a_cloud_grows_month_by_month() {
    let growth = "db_growth = \"30 %/year\"\ndepot_growth = \"40 %/year\"\n";
    let site = SITE
        .replace("[server]", &format!("{growth}[server]"))
        .replace("cloud-8xl", "aws-m6i-large")
        .replace("edges_max = 0\n", "edges_max = 0\nstorage = [\"cloud-block\"]\nproxy = false\n");
    let site = site.replace("proxy = false\n", "");
    let priced = |item: &str, unit: &str, price: f64| {
        format!("[[price]]\nitem = \"{item}\"\nunit = \"{unit}\"\nprice = \"{price} USD\"\n")
    };
    let prices = [
        priced("aws-m6i-large", "hour", 0.1),
        priced("cloud-gp3", "GB-month", 0.08),
        priced("cloud-io2", "GB-month", 0.08),
        priced("cloud-st1", "GB-month", 0.08),
        priced("proxy", "unit", 0.0),
    ];
    let folder = scratch("cloud_grows");
    let horizon = "[horizon]\ntime = \"5 years\"\n";
    let path = write(&folder, "site.toml", format!("{site}{horizon}{}", prices.concat()));
    let answer = plimsoll(&["advise", &path, "--format", "json", "--no-confirm"]).json();
    let bill = answer["bill"].as_array().unwrap();
    let number = |line: &Value, key: &str| line[key].as_f64().unwrap();
    // By the sizes of the volumes and the rates of the site, apart from the code that made the bill.
    let gib = 1_073_741_824.0;
    let bytes = |month: i32, role: &str, today: f64| {
        let rate: f64 = if role == "depot" { 1.4 } else { 1.3 };
        today * rate.powf(f64::from(month) / 12.0) / gib
    };
    let mut months: Vec<f64> = Vec::new();
    for month in 1..=60 {
        let mut places: std::collections::BTreeMap<String, f64> = std::collections::BTreeMap::new();
        for volume in volumes(&answer) {
            let place = volume["mount_point"].as_str().unwrap().to_owned();
            let role = volume["role"].as_str().unwrap();
            *places.entry(place).or_default() += bytes(month, role, number(&volume, "size_bytes"));
        }
        months.push(places.values().map(|gib| (gib - 1e-6).ceil()).sum());
    }
    let is_space = |line: &&Value| line["unit"] == "GB-month";
    let space = |key: &str| bill.iter().filter(is_space).map(|line| number(line, key)).sum::<f64>();
    // The caches of proxies are beside them, as large in every month.
    let caches = space("quantity_at_horizon") - months[59];
    let mean = months.iter().sum::<f64>() / 60.0;
    for (key, of_data) in [("quantity", months[0]), ("quantity_mean", mean)] {
        assert!((space(key) - caches - of_data).abs() <= 3.0, "{key}, {of_data}, {caches}: {bill:#?}");
    }
    // What is paid in each month adds up to the total.
    let costs = &answer["costs"];
    let [first, last] = ["first_month", "month_at_horizon"].map(|key| number(costs, key));
    assert!(last > 2.0 * first, "{costs:#}");
    let total: f64 = bill.iter().filter_map(|line| line["total"].as_f64()).sum();
    assert!((number(costs, "priced") - total).abs() < 1e-6, "{costs:#}");
    let months = number(costs, "priced") / 60.0;
    assert!(first < months && months < last, "{costs:#}");
    // The text names both.
    let said = plimsoll(&["advise", &path, "--no-confirm"]).out;
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("The first month costs") && said.contains("a month at the horizon"), "{said}");
}

/// What a provider publishes no figure of has another's: layout, finding and bill say so, with the error.
#[test]
fn figures_of_another_provider_are_named_wherever_they_count() {
    let folder = scratch("cloud_borrowed");
    for (model, thing, of) in [
        ("azure-d8s-v5", "Azure Premium SSD v2 disk", "general-purpose cloud block volume"),
        ("google-n2-standard-8", "Google Hyperdisk Balanced volume", "general-purpose cloud block volume"),
        ("cloud-8xl", "", ""),
    ] {
        let site = SITE.replace("cloud-8xl", model);
        let path = write(&folder, &format!("{model}.toml"), site);
        let answer = plimsoll(&["advise", &path, "--format", "json", "--no-confirm"]).json();
        let figures = answer["answer"]["figures"].as_str().unwrap();
        if thing.is_empty() {
            assert_eq!(figures, "");
            continue;
        }
        assert!(figures.contains(&format!("{thing} has figures of {of}, with an error of 100 %")), "{figures}");
        let in_a_line = |args: &[&str]| {
            let said = plimsoll(args).out;
            said.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let first = in_a_line(&["advise", &path, "--no-confirm"]);
        assert_eq!(first.matches("assumed from another provider").count(), 1, "{first}");
        let full = in_a_line(&["advise", &path, "--no-confirm", "--full"]);
        let bill = full.split("Bill of materials").last().unwrap();
        assert!(bill.contains("assumed from another provider"), "{bill}");
        let findings = answer["findings"].as_array().unwrap();
        let finding = findings.iter().find(|one| one["rule"] == "EVD001").expect("untested equipment");
        assert!(finding["message"].as_str().unwrap().contains("has figures of"), "{finding:#}");
    }
}

#[test]
fn an_instance_without_drives_is_given_none_and_a_file_service_takes_depots() {
    let folder = scratch("cloud_files");
    let text = format!("{SITE}storage = [\"cloud-block\", \"cloud-nfs\"]\n");
    let path = write(&folder, "site.toml", text);
    let answer = plimsoll(&["advise", &path, "--format", "json"]).json();
    assert!(!volumes(&answer).iter().any(|v| v["device"] == "local disks"));
    let mut layouts = vec![answer["recommendation"]["layout"].as_str().unwrap()];
    let others = answer["alternatives"].as_array().unwrap();
    layouts.extend(others.iter().filter(|a| a["scores"].is_object()).filter_map(|a| a["layout"].as_str()));
    assert!(layouts.contains(&"cloud-block-file-depot"), "{layouts:?}");
    assert!(!layouts.iter().any(|l| l.starts_with("local")), "{layouts:?}");
    // Where others shall reach the depots directly, the file service is recommended, and the variables order it.
    let wants = ["criteria.direct_file_access=10", "criteria.cost=0"];
    let [first, second] = wants.map(|set| ["--set", set]);
    let emit = ["advise", &path, "--no-confirm", "--emit", "tfvars"];
    let variables = plimsoll(&[&emit[..], &first, &second].concat()).out;
    let (_, services) = variables.split_once("plimsoll_services = {").unwrap();
    assert!(services.contains("\"cloud-nfs\" = {"), "{variables}");
}

#[test]
fn an_instance_is_compared_with_all_services_of_its_provider() {
    let folder = scratch("cloud_services");
    for (model, services) in [
        ("cloud-8xl", ["cloud-block", "cloud-nfs", "aws-efs", "cloud-object"].as_slice()),
        ("azure-e32s-v5", &["azure-disks", "azure-netapp-files"]),
        ("google-n2-highmem-32", &["google-hyperdisk", "google-filestore"]),
    ] {
        let text = SITE.replace("cloud-8xl", model);
        let path = write(&folder, &format!("{model}.toml"), text);
        let answer = plimsoll(&["advise", &path, "--no-confirm", "--format", "json"]).json();
        let assumed = answer["assumptions"].as_array().unwrap();
        let storage = assumed.iter().find(|a| a["field"] == "infrastructure.storage");
        let storage = storage.unwrap()["value"].as_str().unwrap();
        for service in services {
            assert!(storage.contains(service), "{model}: {storage}");
        }
        // Database on its block service, whatever the archives lie on.
        let [volume] = &volumes(&answer).into_iter().filter(|v| v["role"] == "db").collect::<Vec<_>>()[..] else {
            panic!("{model}: {:#}", answer["recommendation"]["volumes"]);
        };
        let bought = &volume["bought"];
        assert!(bought["operations_per_s"].as_f64().unwrap() > 0.0, "{model}: {volume:#}");
        // Its own instances alone are suggested.
        let smallest = answer["recommendation"]["instance"]["smallest"]["id"].as_str();
        let smallest = smallest.unwrap_or(model);
        let catalog = plimsoll::catalog::Catalog::embedded();
        assert_eq!(catalog.servers[smallest].provider, catalog.servers[model].provider);
    }
}

#[test]
fn an_arm_instance_needs_a_release_that_runs_on_it() {
    let folder = scratch("cloud_arm");
    let of = |release: &str| {
        let model = format!("aws-r8g-4xlarge\"\nrelease = \"{release}");
        let path = write(&folder, "site.toml", SITE.replace("cloud-8xl", &model));
        plimsoll(&["advise", &path, "--no-confirm"])
    };
    let old = of("2024.2");
    assert!(old.err.contains("SIT021") && old.err.contains("2025.1"), "{}", old.err);
    assert!(!of("2025.2").err.contains("SIT021"));
}

/// An office with an edge of its own, and a standby there.
const TWO_REGIONS: &str = "\
schema = 1
name = \"Two regions\"
[people]
developers = 300
[[people.site]]
name = \"Frankfurt\"
developers = 110
round_trip = \"92 ms\"
bandwidth = \"1 Gb/s\"
[data]
db_size = \"80 GiB\"
depot_size = \"18 TiB\"
[server]
model = \"cloud-8xl\"
[infrastructure]
proxies = false
storage = [\"cloud-block\", \"cloud-nfs\"]
[targets]
browse = \"1 s\"
[protection]
backup = \"replica\"
rpo = \"15 min\"
rto = \"1 h\"
[[price]]
item = \"cloud-gp3\"
unit = \"GB-month\"
price = \"0.08 USD\"
[[price]]
item = \"cloud-io2\"
unit = \"GB-month\"
price = \"0.125 USD\"
[[price]]
item = \"cloud-io2\"
unit = \"IOPS-month\"
price = \"0.065 USD\"
";

#[test]
fn edges_and_standbys_rent_volumes_of_the_size_that_they_need() {
    let folder = scratch("cloud_regions");
    let path = write(&folder, "site.toml", TWO_REGIONS);
    let out = folder.join("out");
    let out = out.to_str().unwrap();
    let answer = plimsoll(&["advise", &path, "--format", "json", "--out", out]).json();
    let rented = volumes(&answer);
    let rented: Vec<&Value> = rented.iter().filter(|v| v["device"] == "cloud-block").collect();
    assert!(rented.iter().any(|v| v["server"].as_str().unwrap().contains("edge")));
    assert!(rented.iter().all(|v| v["raid"].as_str().unwrap().starts_with("raid0, 1 ")), "{rented:#?}");
    let bill = answer["bill"].as_array().unwrap();
    assert!(!bill.iter().any(|line| line["unit"] == "drive"), "{bill:#?}");
    let billed = |unit: &str, item: &str| -> f64 {
        let lines = bill.iter().filter(|line| line["unit"] == unit && line["item"] == item);
        lines.map(|line| line["quantity"].as_f64().unwrap()).sum()
    };
    // The variables have each server with its own volumes, and what they hold together is what is paid for.
    let terraform = folder.join("out/config/terraform/plimsoll.auto.tfvars");
    let terraform = read_text(&terraform).unwrap();
    for server in ["\"commit-server\" = {", "\"edge-1-frankfurt\" = {"] {
        assert!(terraform.contains(server), "{server}: {terraform}");
    }
    // Each comment has what it speaks of below it, not the end of the list.
    let lines: Vec<&str> = terraform.lines().map(str::trim).collect();
    for pair in lines.windows(2) {
        let is_idle = pair[0].starts_with('#') && pair[1].starts_with('}');
        assert!(!is_idle, "{pair:?}: {terraform}");
    }
    let sum = |kind: &str, what: &str| -> f64 {
        let lines = terraform.lines().filter(|line| line.contains(&format!("type = \"{kind}\"")));
        let numbers = lines.filter_map(|line| {
            let (_, rest) = line.split_once(&format!("{what} = "))?;
            rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<f64>().ok()
        });
        numbers.sum()
    };
    for medium in ["gp3", "io2"] {
        let item = format!("cloud-{medium}");
        assert_eq!(sum(medium, "size_gib"), billed("GB-month", &item), "{terraform}\n{bill:#?}");
    }
    // io2 includes no operations.
    assert_eq!(sum("io2", "iops"), billed("IOPS-month", "cloud-io2"), "{terraform}");
    // No store is bought beyond what it has to hold.
    let stores = answer["headroom"]["capacity"].as_array().unwrap();
    for store in stores.iter().filter(|s| s["store"].as_str().unwrap().contains("gp3")) {
        let [usable, needed] = ["usable_bytes", "needed_at_horizon_bytes"].map(|key| store[key].as_f64().unwrap());
        assert!((usable / needed - 1.0).abs() < 0.01, "{store:#}");
    }
}

/// Nobody sees the drives behind a provider's service, and a volume that it rents is no disk of the server.
#[test]
fn what_is_rented_is_called_by_its_service() {
    let folder = scratch("cloud_words");
    let site = "schema = 1\nname = \"Kiwi\"\n[people]\ndevelopers = 40\n[server]\nmodel = \"cloud-2xl\"\n\
                [criteria]\ndirect_file_access = 10\n";
    let path = write(&folder, "site.toml", site);
    let said = plimsoll(&["advise", &path, "--full", "--no-confirm"]).out;
    let drawing = said.split("Server: AWS").nth(1).expect("a drawing");
    let drawing = drawing.split("Response times").next().expect("its end");
    for wrong in ["local disks", "RAID", "NVMe"] {
        assert!(!drawing.contains(wrong), "{wrong}: {drawing}");
    }
    assert!(drawing.contains("grows with what lies on it"), "{drawing}");
    let first = plimsoll(&["advise", &path, "--no-confirm"]).out;
    let first = first.split_whitespace().collect::<Vec<_>>().join(" ");
    let instance = first.split("the peak takes ").nth(1).expect("an instance");
    let instance: String = instance.chars().take(200).collect();
    for wrong in [" 0 of", "0.00"] {
        assert!(!instance.contains(wrong), "{instance}");
    }
    assert!(instance.contains("less than 1 %"), "{instance}");
}

#[test]
fn an_instance_is_explained_with_provider_family_and_processor() {
    let said = plimsoll(&["explain", "aws-r8g-2xlarge"]).out;
    for part in ["provider", "r8g: 8 GiB of memory a core", "Arm Neoverse V2", "linux"] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

/// Where no model is named, all that names a machine names the instance that carries it.
#[test]
fn without_a_model_the_smallest_instance_that_carries_it_is_taken() {
    let folder = scratch("cloud_unnamed");
    let text = SITE.replace("[server]\nmodel = \"cloud-8xl\"\n", "");
    let path = write(&folder, "site.toml", format!("{text}storage = [\"cloud-block\"]\n"));
    let out = folder.join("out");
    let arguments = ["advise", &path, "--no-confirm"];
    let json = ["--format", "json", "--out", out.to_str().unwrap()];
    let answer = plimsoll(&[&arguments[..], &json].concat()).json();
    let smallest = &answer["recommendation"]["instance"]["smallest"]["id"];
    let server = &answer["recommendation"]["server"]["model"];
    assert_eq!(smallest, server);
    assert!(server.as_str().unwrap().starts_with("aws-") || server.as_str().unwrap().starts_with("cloud-"));
    assert_eq!(&answer["bill"][0]["item"], server);
    let variables = read_text(&out.join("config/terraform/plimsoll.auto.tfvars")).unwrap();
    let cores = |line: &str| {
        let (_, rest) = line.split_once("cores = ").unwrap();
        rest.split(',').next().unwrap().to_owned()
    };
    let lines: Vec<String> = variables.lines().filter(|l| l.contains("cores = ")).map(cores).collect();
    assert!(lines.len() >= 2 && lines.iter().all(|cores| *cores == lines[0]), "{variables}");
    let (_, mbit) = variables.split_once("network_mbit_s = ").unwrap();
    let mbit = mbit.split(' ').next().unwrap();
    let zeros = mbit.len() - mbit.trim_end_matches('0').len();
    assert!(mbit.len() - zeros <= 2, "{mbit}");
}

#[test]
fn instances_and_volumes_of_a_month_are_those_of_its_last_day() {
    let folder = scratch("cloud_month");
    let path =
        write(&folder, "site.toml", format!("{SITE}storage = [\"cloud-block\"]\n[horizon]\ntime = \"1 year\"\n"));
    let at = |growth: &str| {
        let set = format!("data.db_growth={growth}");
        let answer = plimsoll(&["advise", &path, "--no-confirm", "--format", "json", "--set", &set]).json();
        let lines = answer["bill"].as_array().unwrap().clone();
        let of = |what: &str| -> f64 {
            let lines = lines.iter().filter(|line| line["unit"] == what);
            lines.map(|line| line["quantity"].as_f64().unwrap()).sum()
        };
        of("hour")
    };
    // However fast it grows, the first month has one server: the one that its last day needs.
    assert_eq!([at("0 %/year"), at("1000 %/year")], [1.0, 1.0]);
}
