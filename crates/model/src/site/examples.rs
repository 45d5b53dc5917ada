//! The example sites, to begin with.

/// The examples: name, title and text.
pub const EXAMPLES: [(&str, &str, &str); 5] = [
    ("game-studio", "Game studio", include_str!("../../../../assets/examples/game-studio.toml")),
    (
        "ea-redwood-shores-2007",
        "EA Redwood Shores, 2007",
        include_str!("../../../../assets/examples/ea-redwood-shores-2007.toml"),
    ),
    ("netapp-lab-2013", "NetApp laboratory, 2013", include_str!("../../../../assets/examples/netapp-lab-2013.toml")),
    ("pure-lab-2017", "Pure laboratory, 2017", include_str!("../../../../assets/examples/pure-lab-2017.toml")),
    ("sun-partner-2009", "Sun partner, 2009", include_str!("../../../../assets/examples/sun-partner-2009.toml")),
];
