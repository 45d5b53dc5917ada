//! Sites by chance, from a seed: releases from 2005 to today, peeking 0 to 3, flash and disks, 10 to 5,000 people, 0 to 60 large
//! syncs, distant offices, edges.

/// Random numbers that stay the same on every machine (`SplitMix64`; Steele, Lea and Flood 2014).
struct Chance(u64);

impl Chance {
    fn of(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66)
    }

    /// Between 0 and 1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A whole number between two, evenly in the logarithm.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        (low * (high / low).powf(self.unit())).round()
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[(self.unit() * of.len() as f64) as usize]
    }
}

const RELEASES: [&str; 10] =
    ["2005.2", "2007.2", "2009.1", "2012.1", "2013.3", "2014.1", "2016.2", "2019.1", "2022.2", "2024.1"];

/// One site as its file.
pub(crate) fn site(seed: u64) -> String {
    let mut chance = Chance::of(seed);
    let release = chance.one(&RELEASES);
    let people = chance.between(10.0, 5000.0);
    let commands = people * chance.between(60.0, 900.0);
    let large = match chance.unit() {
        few if few < 0.4 => 0.0,
        _ => chance.between(1.0, 60.0).min(people),
    };
    let (model, network) = if release >= "2016" {
        let model = chance.one(&["present-16c", "present-32c"]);
        (model, chance.one(&["eth-10g", "eth-25g"]))
    } else {
        let model = if release >= "2012" { "dl580-g7" } else { "dell-6850" };
        (model, chance.one(&["eth-1g", "eth-10g"]))
    };
    let peeking = match chance.unit() {
        known if known < 0.5 && release >= "2013.3" => {
            format!("peeking = {}\n", (8.0 * known) as u32)
        }
        _ => String::new(),
    };
    let files = chance.between(2e5, 2e7);
    let office = if chance.unit() < 0.4 && people > 40.0 {
        let (trip, line) = (chance.between(15.0, 200.0), chance.between(50.0, 2000.0));
        format!(
            "[[people.site]]\nname = \"Away\"\ndevelopers = {}\nround_trip = \"{trip} ms\"\nbandwidth = \"{line} Mb/s\"\n\n",
            (people / 5.0).round()
        )
    } else {
        String::new()
    };
    let workspace = (files * chance.between(20.0, 200.0) / 1000.0).round().min(2e6);
    format!(
        "schema = 1\nname = \"Generated {seed}\"\n\n[people]\ndevelopers = {people}\n\n{office}\
         [data]\nfiles = {files}\nfile_size = \"{} kB\"\nworkspace_files = {workspace}\n\n\
         [workload]\ncommands_per_day = \"{commands} /day\"\nautomation_share = \"{} %\"\nconcurrent_syncs = {large}\n\
         concurrent_sync_size = \"{} GB\"\nclient_rate = \"{} MB/s\"\nfiles_per_sync = {}\n\n\
         [server]\nmodel = \"{model}\"\nrelease = \"{release}\"\n{peeking}\n\
         [infrastructure]\nclient_network = \"{network}\"\nedges_max = {}\n",
        chance.between(10.0, 400.0),
        chance.between(5.0, 70.0),
        chance.between(1.0, 80.0),
        chance.between(20.0, 300.0),
        chance.between(20.0, 2000.0),
        (3.0 * chance.unit()) as u32,
    )
}
