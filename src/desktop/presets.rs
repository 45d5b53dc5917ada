//! The texts to begin with: an empty site and the examples.

/// A site with nothing but what must be answered.
pub const EMPTY: &str = "schema = 1\nname = \"New site\"\n\n[people]\ndevelopers = 100\n";

/// The example sites: title and text.
pub const EXAMPLES: [(&str, &str); 5] = [
    (
        "Game studio",
        include_str!("../../assets/examples/game-studio.toml"),
    ),
    (
        "EA Redwood Shores, 2007",
        include_str!("../../assets/examples/ea-redwood-shores-2007.toml"),
    ),
    (
        "NetApp laboratory, 2013",
        include_str!("../../assets/examples/netapp-lab-2013.toml"),
    ),
    (
        "Pure laboratory, 2017",
        include_str!("../../assets/examples/pure-lab-2017.toml"),
    ),
    (
        "Sun partner, 2009",
        include_str!("../../assets/examples/sun-partner-2009.toml"),
    ),
];

/// The text of an example.
pub fn text(title: &str) -> Option<&'static str> {
    let mut examples = EXAMPLES.iter();
    examples
        .find(|(name, _)| *name == title)
        .map(|(_, text)| *text)
}

/// What a new table of a list begins with: what must be answered in it.
pub fn table(path: &str, text: &str) -> &'static [(&'static str, &'static str)] {
    /// Names of new offices: no two may be called the same.
    const OFFICES: [[(&str, &str); 2]; 6] = [
        [("name", "\"Office 1\""), ("developers", "10")],
        [("name", "\"Office 2\""), ("developers", "10")],
        [("name", "\"Office 3\""), ("developers", "10")],
        [("name", "\"Office 4\""), ("developers", "10")],
        [("name", "\"Office 5\""), ("developers", "10")],
        [("name", "\"Office 6\""), ("developers", "10")],
    ];
    match path {
        "people.site" => {
            let free = |office: &&[(&str, &str); 2]| !text.contains(office[0].1);
            OFFICES.iter().find(free).unwrap_or(&OFFICES[0])
        }
        "price" => &[
            ("item", "\"nvme\""),
            ("price", "\"1000 EUR\""),
            ("per", "\"disk\""),
        ],
        _ => &[],
    }
}
