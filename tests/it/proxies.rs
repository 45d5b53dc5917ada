//! Proxies: where they pay, what they take off the server, and the same ones on all faces.

use plimsoll::advisor::{Advice, Chosen, Left, Lost, advise, today};
use plimsoll::report::{Answer, Inputs, advice_json};
use plimsoll::site::Site;
use plimsoll::system::{ClassPrediction, Deployment, ProxyPlace, ResourceKind};
use plimsoll::{emit, report};

use crate::cli::{plimsoll, scratch, write};
use crate::shared::{CALIBRATION, CATALOG, VOCABULARY};
use crate::today::read;

const ROOM: &str = "schema = 1\nname = \"Room\"\n[people]\ndevelopers = 40\n";

/// Builds that sync 60 GB every seven minutes, and the link is busy at the peak.
const FARM: &str = "schema = 1\nname = \"Farm\"\n[people]\ndevelopers = 300\n\
[data]\ndepot_size = \"20 TB\"\n\
[workload]\nautomation_share = \"60 %\"\nlarge_syncs_per_day = \"200 /day\"\nconcurrent_sync_size = \"60 GB\"\n\
[server]\nrelease = \"2024.2\"\n[infrastructure]\nedges_max = 0\n";

/// An office that reads much over a thin line, and people at home.
const FAR: &str = "schema = 1\nname = \"Far\"\n[people]\ndevelopers = 500\n\
[[people.site]]\nname = \"Lyon\"\ndevelopers = 60\nround_trip = \"30 ms\"\nbandwidth = \"200 Mb/s\"\n\
[[people.site]]\nname = \"Home\"\ndevelopers = 80\nround_trip = \"25 ms\"\nbandwidth = \"400 Mb/s\"\nat_home = true\n\
[data]\ndepot_size = \"6 TB\"\n[infrastructure]\nproxies = true\n";

fn advice(text: &str) -> (Site, Advice) {
    let site = read(text);
    let advice = advise(&site, &VOCABULARY, &CATALOG, &CALIBRATION);
    (site, advice)
}

fn chosen(advice: &Advice) -> &Chosen {
    advice.chosen.as_ref().expect("a deployment")
}

fn places(deployment: &Deployment) -> Vec<String> {
    let proxies = deployment.proxies.iter();
    proxies.map(|proxy| proxy.place.in_words()).collect()
}

fn without(text: &str) -> String {
    let answer = "[infrastructure]\nproxies = false\n";
    text.replace("[infrastructure]\nproxies = true\n", answer)
        .replace("[infrastructure]\nedges", &format!("{answer}edges"))
}

fn link(chosen: &Chosen) -> f64 {
    let all = chosen.prediction.resources.iter();
    let links = all.filter(|one| one.resource.kind() == ResourceKind::ClientNetwork);
    links.map(|one| one.utilization).fold(0.0, f64::max)
}

/// The 95th percentile of the large syncs of an office, or of the main one.
fn large_sync(chosen: &Chosen, office: Option<&str>) -> f64 {
    let is = |class: &&ClassPrediction| class.work.is_large_sync() && class.work.clients.office() == office;
    let class = chosen.prediction.classes.iter().find(is);
    class.expect("large syncs").p95.value
}

#[test]
fn nothing_is_placed_where_nothing_is_gained() {
    let (_, advice) = advice(ROOM);
    assert!(places(&chosen(&advice).deployment).is_empty());
    let about = advice.findings.iter().map(|finding| finding.rule);
    let about: Vec<_> = about.filter(|rule| rule.starts_with("BLD")).collect();
    assert!(about.is_empty(), "{about:?}");
}

#[test]
fn a_build_farm_gets_one_where_it_fills_the_link() {
    let (_, with) = advice(FARM);
    let (_, bare) = advice(&without(FARM));
    let (with, bare) = (chosen(&with), chosen(&bare));
    assert_eq!(places(&with.deployment), ["beside the build farm"]);
    assert!(places(&bare.deployment).is_empty());
    assert!(link(with) < 0.7 * link(bare), "{} {}", link(with), link(bare));
    let [with, bare] = [with, bare].map(|chosen| large_sync(chosen, None));
    assert!(with < bare, "{with} {bare}");
}

#[test]
fn a_lost_proxy_is_a_case_and_leaves_its_work_to_the_server() {
    let (_, advice) = advice(FARM);
    let chosen = chosen(&advice);
    let cases = chosen.recovery.cases.iter();
    let lost: Vec<_> = cases.filter(|case| matches!(case.lost, Lost::Proxy(_))).collect();
    assert_eq!(lost.len(), chosen.deployment.proxies.len());
    for case in lost {
        match &case.left {
            Left::Works { times, .. } => {
                let slower = times.iter().any(|time| time.p95 > 1.01 * time.whole);
                assert!(slower, "{case:?}");
            }
            Left::Overloaded(_) => {}
            Left::Gone(why) => panic!("{why}"),
        }
    }
}

#[test]
fn builds_in_a_cloud_get_one_on_its_volumes_and_the_variables_name_it() {
    let folder = scratch("proxy_cloud");
    let text = format!("{FARM}storage = [\"cloud-block\"]\n");
    let path = write(&folder, "site.toml", text);
    let ran = plimsoll(&["advise", &path, "--no-confirm", "--emit", "tfvars"]);
    let lines: Vec<&str> = ran.out.lines().collect();
    let at = lines.iter().position(|line| *line == "plimsoll_proxies = {");
    let proxy = lines[at.expect("proxies")..].iter().find(|line| line.contains("\"builds\""));
    assert!(proxy.is_some_and(|line| line.contains("type = \"gp3\"")), "{}", ran.out);
}

#[test]
fn an_office_gets_one_where_an_edge_is_too_much_and_people_at_home_none() {
    let (_, with) = advice(FAR);
    let no_edge = without(FAR).replace("proxies = false\n", "proxies = false\nedges_max = 0\n");
    let (_, bare) = advice(&no_edge);
    assert_eq!(places(&chosen(&with).deployment), ["in Lyon"]);
    assert_eq!(chosen(&with).deployment.edges, 0);
    let [with, bare] = [&with, &bare].map(|advice| large_sync(chosen(advice), Some("Lyon")));
    assert!(with < 0.5 * bare, "{with} {bare}");
}

#[test]
fn an_edge_takes_the_place_of_a_proxy() {
    let far = FAR.replace("developers = 60", "developers = 400");
    let far = far.replace("developers = 500", "developers = 900");
    let far = far.replace("round_trip = \"30 ms\"", "round_trip = \"250 ms\"");
    let (_, advice) = advice(&far);
    let deployment = &chosen(&advice).deployment;
    assert_eq!(deployment.offices, ["Lyon"]);
    assert!(deployment.proxy(&ProxyPlace::Office("Lyon".to_owned())).is_none());
}

#[test]
fn hits_cache_and_drives_follow_the_answers() {
    let with = |answers: &str| advice(&format!("{FARM}[proxy]\n{answers}\n")).1;
    let [few, many] = ["hits = \"50 %\"", "hits = \"95 %\""].map(with);
    assert!(link(chosen(&many)) < link(chosen(&few)));
    let proxy = |advice: &Advice| chosen(advice).deployment.proxies[0].clone();
    let [small, large] = ["cache = \"1 TB\"", "cache = \"200 TB\""].map(|cache| proxy(&with(cache)));
    assert_eq!((small.cache, large.cache), (1e12, 200e12));
    for proxy in [small, large] {
        assert!(proxy.disks * proxy.disk_bytes >= proxy.cache * 0.999, "{proxy:?}");
        assert!(proxy.machines >= 1.0);
    }
}

#[test]
fn all_faces_show_the_same() {
    let priced = format!(
        "{FAR}[[price]]\nitem = \"proxy\"\nprice = \"3000 EUR\"\nper = \"unit\"\n\
         [[price]]\nitem = \"nvme\"\nprice = \"900 EUR\"\nper = \"drive\"\n"
    );
    let (site, advice) = advice(&priced);
    let inputs = Inputs { site: &site, catalog: &CATALOG, calibration: &CALIBRATION };
    let json = advice_json(&inputs, &advice);
    let proxy = &json["recommendation"]["proxies"][0];
    assert_eq!((&proxy["office"], &proxy["hits"]), (&"Lyon".into(), &0.8.into()));
    let lines = json["bill"].as_array().expect("a bill");
    let machine = lines.iter().find(|line| line["item"] == "proxy");
    assert_eq!(machine.expect("a line of the bill")["total"], 3000.0);
    assert!(lines.iter().any(|line| { line["what"].as_str().is_some_and(|what| what.contains("proxies")) }));
    let answer = Answer::of(&site, &CATALOG, &advice);
    let servers = &answer.layout.as_ref().expect("a layout").servers;
    assert!(servers.contains("a proxy in Lyon with"), "{servers}");
    let deployment = &chosen(&advice).deployment;
    let drawing = report::diagram(&site, &CATALOG, deployment, &chosen(&advice).prediction);
    let mut lines = drawing.nodes.iter().flat_map(|node| &node.lines);
    assert!(lines.any(|line| line.starts_with("proxy, ")));
    let files = emit::configuration(&site, &CATALOG, &advice);
    let start = files.iter().find(|file| file.path() == "proxy-1-lyon/p4p.sh");
    assert!(start.expect("how it is started").render().contains("p4p -d"));
}

#[test]
fn todays_are_where_the_answers_say() {
    let text = FAR.replace("bandwidth = \"200 Mb/s\"\n", "bandwidth = \"200 Mb/s\"\nproxy = true\n");
    let text = format!("{text}[today]\nproxies = true\n");
    let system = today::system(&read(&text), &CATALOG, &CALIBRATION).expect("a system");
    assert_eq!(places(&system.deployment), ["beside the build farm", "in Lyon"]);
    let advice = today::today(&read(FAR), &CATALOG, &CALIBRATION).expect("advice");
    let offered = advice.singles.iter().chain(&advice.useless);
    let offered: Vec<&String> = offered.flat_map(|effect| &effect.changes).collect();
    assert!(offered.iter().any(|change| *change == "office-proxies"), "{offered:?}");
}

/// 254 MiB of the cache beside 25.6 MiB of the server.
#[test]
fn the_log_of_a_proxy_states_its_hits() {
    let folder = scratch("proxy_log");
    let log = "Perforce proxy info:\n\t2023/04/05 10:03:01 pid 33 completed .921s\n--- lapse .921s\n\
               --- proxy faults 0 MB 0 other 0 flushes 1 cached 0\n\
               --- proxytotals files/size svr+cache 1403+203/25.6M+254M\n";
    let path = write(&folder, "p4p.log", log);
    let answers = plimsoll(&["workload", &path, "--format", "json"]).json()["answers"].clone();
    let mut answers = answers.as_array().expect("answers").iter();
    let hits = answers.find(|answer| answer["field"] == "proxy.hits");
    assert_eq!(hits.expect("hits")["value"], "90.8 %");
}
