//! Emitted files as p4d and its machine read them: variables, configurables, mount points, directories.
//!
//! No p4d can be had here, so that what it does with its settings is written down in [`Server::path_of`]: from
//! the environment and the configurables to a path, and from the path to the volume whose mount point is its
//! longest beginning.

use std::collections::{BTreeMap, BTreeSet};

use plimsoll::catalog::Release;
use plimsoll::emit::{ConfigFile, Language};

use super::windows::literals;

/// p4d reads `p4 configure` from this release on, and journalPrefix with it.
const CONFIGURABLES: Release = Release::new(2010, 2);
/// Where a depot lies whose form has an address: no path.
pub(super) const BUCKET: &str = "the bucket of the Address";
/// Before it a relative map of a depot begins at P4ROOT.
pub(super) const DEPOT_ROOT: Release = Release::new(2014, 1);

/// What the emitted files say of one server.
#[derive(Debug, Default)]
pub(super) struct Server {
    /// The id that its own configurables begin with.
    pub(super) id: String,
    windows: bool,
    /// Variables of p4d.
    environment: BTreeMap<String, String>,
    /// Mount points, drives and shares, with what is mounted there.
    pub(super) mounts: BTreeMap<String, String>,
    /// For each variable of a device the sentence that asks for it.
    pub(super) devices: BTreeMap<String, String>,
    /// For each label of a filesystem the variable of its device.
    pub(super) labels: BTreeMap<String, String>,
    /// Directories that are made.
    pub(super) directories: BTreeSet<String>,
    /// Arguments of the command that makes a checkpoint.
    checkpoint: Vec<String>,
    /// Mount points that the unit waits for.
    pub(super) required: BTreeSet<String>,
    pub(super) unit: bool,
}

/// What holds for all servers of an installation: the database has one table of configurables and one of depots.
#[derive(Debug, Default)]
pub(super) struct Installation {
    release: Option<Release>,
    /// By server id, `any` for all, and name.
    pub(super) configurables: BTreeMap<(String, String), String>,
    /// The folder of absolute maps of depots.
    maps: Option<String>,
    /// Whether the forms of depots get an address, which the administrator names.
    has_address: bool,
}

/// fstab's octal codes.
fn unescaped(field: &str) -> String {
    let mut out = String::new();
    let mut rest = field;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let code = u8::from_str_radix(&after[..3], 8).unwrap();
        out.push(char::from(code));
        rest = &after[3..];
    }
    out + rest
}

/// A value of a unit.
fn unquoted(value: &str) -> String {
    value.trim_matches('"').to_owned()
}

/// The words of a command of either language.
fn words(language: Language, line: &str) -> Vec<String> {
    match language {
        Language::PowerShell => literals(line),
        _ => shlex::split(line).unwrap_or_default(),
    }
}

impl Server {
    fn read(files: &[&ConfigFile], installation: &mut Installation) -> Self {
        let mut server = Self::default();
        for file in files {
            server.windows |= file.language == Language::PowerShell;
            for line in &file.lines {
                server.read_line(file, &line.text, installation);
            }
        }
        server
    }

    fn read_line(&mut self, file: &ConfigFile, text: &str, installation: &mut Installation) {
        match file.name.as_str() {
            "fstab" => {
                let row: Vec<String> = text.split(' ').map(unescaped).collect();
                let twice = self.mounts.insert(row[1].clone(), row[0].clone());
                assert_eq!(twice, None, "two volumes at {}", row[1]);
            }
            "vfstab" => {
                let row: Vec<String> = text.split(' ').map(unescaped).collect();
                assert_eq!(row.len(), 7, "{text}");
                let twice = self.mounts.insert(row[2].clone(), row[0].clone());
                assert_eq!(twice, None, "two volumes at {}", row[2]);
            }
            "mkfs.sh" => self.read_mkfs(text),
            "volumes.ps1" => self.read_volumes(text),
            "directories.sh" => {
                if let Some(path) = text.strip_prefix("mkdir -p -- ") {
                    self.directories.extend(shlex::split(path).unwrap());
                }
            }
            "directories.ps1" => {
                let found = literals(text);
                if text.contains("CreateDirectory") {
                    self.directories.insert(found[0].clone());
                } else if text.contains("Test-Path") {
                    let path = found[0].clone();
                    self.mounts.entry(path.clone()).or_insert(path);
                }
            }
            "p4d.env" => {
                let (name, value) = text.split_once('=').unwrap();
                let value = shlex::split(value).unwrap().concat();
                self.environment.insert(name.to_owned(), value);
            }
            "service.ps1" if text.starts_with("p4 set -S ") => {
                let found = literals(text);
                let (name, value) = found[0].split_once('=').unwrap();
                self.environment.insert(name.to_owned(), value.to_owned());
            }
            "p4d-service.conf" => {
                self.unit |= text == "EnvironmentFile=/etc/perforce/p4d.env";
                self.required.extend(text.strip_prefix("RequiresMountsFor=").map(unquoted));
            }
            "p4-configure.sh" | "p4-configure.ps1" if text.contains("p4 configure set ") => {
                let found = words(file.language, text);
                let Some((name, value)) = found.iter().find_map(|word| word.split_once('=')) else {
                    return;
                };
                let (server, name) = name.split_once('#').unwrap_or(("any", name));
                let key = (server.to_owned(), name.to_owned());
                installation.configurables.insert(key, value.to_owned());
            }
            "p4-depots.sh" if text.contains("p4 depot -i") => {
                let found = shlex::split(text).unwrap();
                let format = found.iter().position(|w| w.contains("%s/%s/...")).unwrap();
                installation.maps = Some(found[format + 1].clone());
            }
            "p4-depots.ps1" if text.contains("p4 depot -i") => {
                let map = literals(text).into_iter().find_map(|text| {
                    let folder = text.strip_prefix("Map: \"")?;
                    folder.strip_suffix('/').map(str::to_owned)
                });
                installation.maps = map.map(|folder| folder.replace('/', "\\"));
            }
            "p4-object-depots.sh" | "p4-object-depots.ps1" if text.contains("p4 depot -i") => {
                // The line with the old address goes, and the new one is the administrator's variable.
                assert!(text.contains("'^Address:'"), "{text}");
                installation.has_address |= text.contains("PLIMSOLL_OBJECT_ADDRESS");
            }
            "checkpoint.sh" => self.checkpoint = shlex::split(text).unwrap(),
            "checkpoint.ps1" => self.checkpoint = literals(text),
            _ => {}
        }
    }

    fn read_mkfs(&mut self, text: &str) {
        let found = shlex::split(text).unwrap();
        if let Some(ask) = text.strip_prefix(": \"${") {
            let (variable, ask) = ask.split_once(":?").unwrap();
            self.devices.insert(variable.to_owned(), ask.to_owned());
        } else if let Some(point) = found.iter().find_map(|w| w.strip_prefix("mountpoint=")) {
            // A dataset: ZFS mounts it there.
            self.mounts.insert(point.to_owned(), "dataset".to_owned());
        } else if text.starts_with("mkdir ") {
            // Solaris: what is mounted there stands in no file.
            let made = found.last().unwrap();
            self.directories.insert(made.clone());
        } else if found[0].starts_with("mkfs") {
            let label = found.iter().position(|w| w == "-L" || w == "-l").map(|i| &found[i + 1]);
            let device = found.last().unwrap().trim_start_matches('$');
            if let Some(label) = label {
                let twice = self.labels.insert(label.clone(), device.to_owned());
                assert_eq!(twice, None, "two filesystems labelled {label}");
            }
        }
    }

    fn read_volumes(&mut self, text: &str) {
        let variable = |text: &str| -> String {
            let name = text.split("$env:").nth(1).unwrap();
            let end = |c: char| !c.is_ascii_alphanumeric() && c != '_';
            name.split(end).next().unwrap().to_owned()
        };
        if text.contains("-notmatch") {
            let ask = literals(text).pop().unwrap();
            self.devices.insert(variable(text), ask);
        } else if let Some((_, after)) = text.split_once(" -DriveLetter ") {
            let drive = format!("{}:\\", &after[..1]);
            let label = after.split_once("-NewFileSystemLabel ").unwrap().1;
            let label = label.split(' ').next().unwrap();
            self.labels.insert(label.to_owned(), variable(text));
            self.mounts.insert(drive, format!("LABEL={label}"));
        }
    }

    /// The configurable in force: the server's own before that of all.
    pub(super) fn configurable<'i>(&self, name: &str, installation: &'i Installation) -> Option<&'i String> {
        let of = |id: &str| installation.configurables.get(&(id.to_owned(), name.to_owned()));
        installation
            .release
            .filter(|release| *release >= CONFIGURABLES)
            .and_then(|_| of(&self.id).or_else(|| of("any")))
    }

    /// Where p4d of that release puts what belongs to a role.
    pub(super) fn path_of(&self, role: &str, installation: &Installation) -> String {
        let release = installation.release.unwrap();
        let root = self.environment["P4ROOT"].clone();
        match role {
            "db" => root,
            "journal" => self.environment["P4JOURNAL"].clone(),
            "log" => self.environment["P4LOG"].clone(),
            "tmp" => self.environment["TEMP"].clone(),
            // Empty files, which begin in P4ROOT where nothing else is said.
            "locks" => self.configurable("server.locks.dir", installation).cloned().unwrap_or(root),
            "offline_db" => {
                let made = self.directories.iter().find(|d| d.ends_with("offline_db"));
                made.unwrap().clone()
            }
            // An address has precedence over any map.
            "depot" if installation.has_address => BUCKET.to_owned(),
            "depot" => {
                let begins = self.configurable("server.depot.root", installation).filter(|_| release >= DEPOT_ROOT);
                // An absolute map has precedence, if there is a form in which it was put.
                installation.maps.as_ref().or(begins).cloned().unwrap_or(root)
            }
            "checkpoint" => {
                let argument = self.checkpoint.iter().position(|word| word == "-jc");
                let argument = argument.map(|i| &self.checkpoint[i + 1]);
                let prefix = self.configurable("journalPrefix", installation);
                prefix.or(argument).cloned().unwrap_or(root)
            }
            role => panic!("{role}"),
        }
    }

    /// The mount point below which a path lies: the longest that it begins with.
    pub(super) fn mount_of(&self, path: &str) -> Option<&str> {
        let separator = if self.windows { '\\' } else { '/' };
        let below = |point: &&String| {
            let point = point.trim_end_matches(separator);
            path.strip_prefix(point).is_some_and(|rest| rest.is_empty() || rest.starts_with(separator))
        };
        let points = self.mounts.keys().filter(below);
        points.max_by_key(|point| point.len()).map(String::as_str)
    }
}

/// The servers as the files have them, in order.
pub(super) fn servers(release: Release, files: &[ConfigFile]) -> (Installation, Vec<Server>) {
    let mut installation = Installation { release: Some(release), ..Installation::default() };
    let mut titles: Vec<&str> = files.iter().map(|file| file.server.as_str()).collect();
    titles.retain(|title| !["workstations", "terraform"].contains(title));
    titles.dedup();
    let mut found = Vec::new();
    for (number, title) in titles.into_iter().enumerate() {
        let mine: Vec<&ConfigFile> = files.iter().filter(|f| f.server == title).collect();
        let mut server = Server::read(&mine, &mut installation);
        server.id = match number {
            0 => "commit".to_owned(),
            _ if title.starts_with("standby") => "standby".to_owned(),
            n => format!("edge{n}"),
        };
        found.push(server);
    }
    (installation, found)
}
