//! The calibration files inside the binary. A test compares the list with the folder.

/// Path and text of each file.
pub const FILES: &[(&str, &str)] = &[
    (
        "calibration/E07.toml",
        include_str!("../../calibration/E07.toml"),
    ),
    (
        "calibration/N08.toml",
        include_str!("../../calibration/N08.toml"),
    ),
    (
        "calibration/N13.toml",
        include_str!("../../calibration/N13.toml"),
    ),
    (
        "calibration/P17.toml",
        include_str!("../../calibration/P17.toml"),
    ),
    (
        "calibration/Z09.toml",
        include_str!("../../calibration/Z09.toml"),
    ),
    (
        "calibration/parameters.toml",
        include_str!("../../calibration/parameters.toml"),
    ),
];
