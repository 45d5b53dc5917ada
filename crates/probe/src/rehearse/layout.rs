//! Where a rehearsal works: a folder for each of db, journal and depot, and the devices below them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::plan::Plan;
use crate::bench::environment::Environment;
use crate::bench::{BenchError, Place};
use crate::diag::quoted;

/// The folders of a layout, each of which may be measured; the same folder may have several roles.
#[derive(Debug, Clone)]
pub struct Layout {
    /// Where db, journal and depot lie, by their place in [`Self::places`].
    pub roles: [usize; 3],
    /// The folders.
    pub places: Vec<Place>,
}

/// The words for the roles, in their order.
pub(super) const ROLES: [&str; 3] = ["db", "journal", "depot"];

impl Layout {
    /// The folders of db, journal and depot in `DIR`, or `db=DIR1,journal=DIR2,depot=DIR3`.
    pub fn folders(text: &str) -> Result<[PathBuf; 3], BenchError> {
        let refused = |reason: String| BenchError::Refused(format!("--at {reason}"));
        let shown = quoted(text);
        let mut paths: [Option<PathBuf>; 3] = [None, None, None];
        let is_map = ROLES.iter().any(|role| text.split(',').any(|part| part.starts_with(&format!("{role}="))));
        if is_map {
            for part in text.split(',') {
                let found =
                    part.split_once('=').and_then(|(role, path)| Some((ROLES.iter().position(|r| *r == role)?, path)));
                let Some((role, path)) = found.filter(|(_, path)| !path.is_empty()) else {
                    return Err(refused(format!(
                        "{shown}: write db=DIR1,journal=DIR2,depot=DIR3, or one folder for all"
                    )));
                };
                if paths[role].replace(PathBuf::from(path)).is_some() {
                    return Err(refused(format!("{shown}: {} is there twice", ROLES[role])));
                }
            }
        } else {
            paths = [(); 3].map(|()| Some(PathBuf::from(text)));
        }
        let mut folders: [PathBuf; 3] = Default::default();
        for ((folder, path), role) in folders.iter_mut().zip(paths).zip(ROLES) {
            *folder = path.ok_or_else(|| refused(format!("{shown}: {role} has no folder")))?;
        }
        Ok(folders)
    }

    /// The same as places that may be measured, where `keep` bytes stay free.
    pub fn parse(text: &str, keep: Option<u64>) -> Result<Self, BenchError> {
        Self::of(&Self::folders(text)?, keep)
    }

    /// The folders of db, journal and depot as places.
    pub fn of(folders: &[PathBuf; 3], keep: Option<u64>) -> Result<Self, BenchError> {
        let mut layout = Self { roles: [0; 3], places: Vec::new() };
        for (role, path) in folders.iter().enumerate() {
            let place = Place::of(path, keep)?;
            let known = layout.places.iter().position(|p| p.path == place.path);
            layout.roles[role] = known.unwrap_or(layout.places.len());
            if known.is_none() {
                layout.places.push(place);
            }
        }
        Ok(layout)
    }

    /// The folder of a role, by its place in [`ROLES`].
    pub(super) fn place(&self, role: usize) -> &Place {
        &self.places[self.roles[role]]
    }

    /// The device below the folder of each role.
    pub(super) fn devices(&self) -> Vec<String> {
        (0..ROLES.len()).map(|role| device(self.place(role))).collect()
    }

    /// Whether the plan's bytes fit.
    pub fn has_room_for(&self, plan: &Plan) -> Result<(), BenchError> {
        let mut by_device: BTreeMap<String, (u64, &Place)> = BTreeMap::new();
        for (role, bytes) in plan.bytes().into_iter().enumerate() {
            let place = self.place(role);
            by_device.entry(device(place)).or_insert((0, place)).0 += bytes;
        }
        by_device.values().try_for_each(|(bytes, place)| place.has_room_for(*bytes))
    }
}
/// The device below a folder, or what stands for one: its filesystem.
fn device(place: &Place) -> String {
    let environment = Environment::of(&place.path).ok();
    let name = environment.and_then(|e| match (e.device, e.mount) {
        (Some(device), _) => Some(device.name),
        (None, mount) => mount.map(|mount| format!("{} {}", mount.filesystem, mount.point)),
    });
    name.unwrap_or_else(|| place.path.to_string_lossy().into_owned())
}
