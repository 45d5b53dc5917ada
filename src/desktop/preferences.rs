//! What stays from one session to the next: looks and recent files. Saved as TOML that a person can read.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Recent files that are kept.
const RECENT_MAX: usize = 10;

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Look {
    /// As the desktop has it.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Look {
    /// The next one.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }

    /// Its name.
    pub fn title(self) -> &'static str {
        match self {
            Self::System => "As the desktop",
            Self::Light => "Light",
            Self::Dark => "Dark",
        }
    }
}

/// Preferences of a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Preferences {
    /// Light or dark.
    pub look: Look,
    /// How large everything is; 1 is usual.
    pub zoom: f32,
    /// Files that were open, the latest first.
    pub recent: Vec<PathBuf>,
}

impl Default for Preferences {
    fn default() -> Self {
        Self { look: Look::System, zoom: 1.0, recent: Vec::new() }
    }
}

impl Preferences {
    /// Smallest and largest zoom.
    pub const ZOOM: (f32, f32) = (0.6, 2.5);

    /// From the text of the file; the usual ones where it is unreadable: it holds nothing that is dear.
    pub fn parse(text: &str) -> Self {
        let mut read: Self = toml::from_str(text).unwrap_or_default();
        read.set_zoom(read.zoom);
        // A relative path is found from one folder alone.
        read.recent.retain(|path| path.is_absolute());
        read.recent.truncate(RECENT_MAX);
        read
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }

    /// Takes a zoom, within its limits.
    pub fn set_zoom(&mut self, zoom: f32) {
        let (least, most) = Self::ZOOM;
        self.zoom = if zoom.is_finite() { zoom.clamp(least, most) } else { 1.0 };
    }

    /// A file was open.
    pub fn remember(&mut self, file: &Path) {
        self.recent.retain(|known| known != file);
        self.recent.insert(0, file.to_owned());
        self.recent.truncate(RECENT_MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preferences_survive_their_file_and_a_broken_one_is_no_disaster() {
        let mut preferences = Preferences { look: Look::Dark, ..Preferences::default() };
        preferences.set_zoom(1.25);
        for i in 0..20 {
            preferences.remember(Path::new(&format!("/a/{i}.toml")));
        }
        preferences.remember(Path::new("/a/15.toml"));
        assert_eq!(preferences.recent.len(), RECENT_MAX);
        assert_eq!(preferences.recent[0], Path::new("/a/15.toml"));
        assert_eq!(Preferences::parse(&preferences.to_text()), preferences);
        assert_eq!(Preferences::parse("zoom = \"big\""), Preferences::default());
        assert_eq!(Preferences::parse("zoom = 1e9").zoom, Preferences::ZOOM.1);
    }
}
