//! The experiment files inside the binary. A test compares the list with the folder.

/// Path and text of each file.
pub const FILES: &[(&str, &str)] = &[
    (
        "calibration/experiments/E07.toml",
        include_str!("../../calibration/experiments/E07.toml"),
    ),
    (
        "calibration/experiments/N08.toml",
        include_str!("../../calibration/experiments/N08.toml"),
    ),
    (
        "calibration/experiments/N13.toml",
        include_str!("../../calibration/experiments/N13.toml"),
    ),
    (
        "calibration/experiments/P17.toml",
        include_str!("../../calibration/experiments/P17.toml"),
    ),
    (
        "calibration/experiments/Z09.toml",
        include_str!("../../calibration/experiments/Z09.toml"),
    ),
];
