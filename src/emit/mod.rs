//! The configuration to paste: fstab, mkfs, mounts, sysctl, systemd, multipath, `p4 configure`; PowerShell on Windows.
//!
//! ```text
//!  Advice ─► one sheet a server (volumes, amounts, conditions) ─┬─► mounts, mkfs, workspaces; windows
//!  models/settings/ ────────────────────────────────────────────┴─► settings, p4 ─► ConfigFile ─► text
//! ```
//!
//! Knows how the files of a server are written, and how names are made harmless in each ([`quote`]). Which
//! settings there are, when they hold and why is data of the catalogue. Must not know how the advice came
//! about, nor how a report looks; writes nothing itself.
//!
//! ```
//! use plimsoll::{advisor, calibration::Calibration, catalog::Catalog, emit, site};
//! let (catalog, calibration) = (Catalog::embedded(), Calibration::embedded());
//! let vocabulary = site::Vocabulary::of(&catalog);
//! let text = "schema = 1\nname = \"Studio\"\n[people]\ndevelopers = 40\n";
//! let site = site::parse("site.toml", text, &[], &vocabulary).unwrap();
//! let advice = advisor::advise(&site, &vocabulary, &catalog, &calibration);
//! let files = emit::configuration(&site, &catalog, &advice);
//! let fstab = files.iter().find(|file| file.name == "fstab").unwrap();
//! assert_eq!(fstab.path(), "commit-server/fstab");
//! assert!(fstab.lines.iter().all(|line| !line.reason.is_empty() && !line.evidence.is_empty()));
//! ```

mod alerts;
mod file;
mod fill;
mod mkfs;
mod mounts;
mod notes;
mod p4;
mod proxies;
pub mod quote;
mod script;
mod settings;
mod sheet;
mod terraform;
mod windows;

use crate::advisor::Advice;
use crate::catalog::Catalog;
use crate::site::Site;

pub use file::{ConfigFile, ConfigLine, Language};
use sheet::Sheet;

/// The files of every server of the recommended deployment, server by server; none where nothing is recommended.
pub fn configuration(site: &Site, catalog: &Catalog, advice: &Advice) -> Vec<ConfigFile> {
    let Some(chosen) = &advice.chosen else {
        return Vec::new();
    };
    let mut files = Vec::new();
    let standby = chosen.deployment.standby.iter().count();
    for server in 0..chosen.deployment.servers() + standby {
        let sheet = Sheet::new(site, catalog, chosen, server);
        if sheet.is_windows() {
            files.extend(windows::files(&sheet));
        } else {
            files.extend(mounts::table(&sheet));
            files.extend(mkfs::mkfs(&sheet));
            files.extend(mkfs::directories(&sheet));
            files.extend(settings::files(&sheet));
        }
        files.extend(notes::notes(&sheet));
        files.extend(p4::files(&sheet));
        files.push(alerts::file(&sheet));
    }
    let commit = Sheet::new(site, catalog, chosen, 0);
    files.extend(mounts::workspaces(&commit));
    files.extend(proxies::files(&commit));
    files.extend(terraform::variables(site, catalog, chosen));
    files.retain(|file| !file.lines.is_empty());
    files
}
