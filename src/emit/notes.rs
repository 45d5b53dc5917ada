//! What a system other than Linux has no file for, and what takes its place: nothing is left out without a word.

use super::file::{ConfigFile, ConfigLine, Language};
use super::fill;
use super::settings::of;
use super::sheet::Sheet;
use crate::catalog::Target;

/// The notes of a server; none for Linux, for which all files are written.
pub(super) fn notes(sheet: &Sheet<'_>) -> Option<ConfigFile> {
    let system = &sheet.deployment.system;
    let lines = fill::settings(sheet, Target::Notes, None);
    let lines = lines.iter().map(|setting| of(setting, &format!("{}: {}.", setting.name, setting.value)));
    let release = sheet.deployment.release;
    let unknown = (!release.is_known_on(system)).then(|| {
        ConfigLine::new(
            format!(
                "p4d {release}: not known to run on {system}; ask Perforce before you order, or plan the move to Linux."
            ),
            "The notes of this release do not name the system, as far as they are known.",
            &["RN2025.1"],
        )
    });
    (!sheet.is_linux()).then(|| ConfigFile {
        name: format!("{system}.txt"),
        server: sheet.title.clone(),
        of_edge: sheet.server > 0,
        title: format!("what is not written for {}, and what replaces it", sheet.system_name()),
        language: Language::Notes,
        lines: unknown.into_iter().chain(lines).collect(),
    })
}
