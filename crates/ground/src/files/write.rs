//! Files written whole or not at all, over nothing of others.
//!
//! What is written lies beside its place, on Linux without any name, until it is complete, and is then moved there in one
//! step: half a file is never taken for a whole one, and a program that is killed leaves nothing. What may be
//! written over is looked at before the work, and again before the move.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};

use super::folder::{Folder, Id, Kind, Seen};
use super::mark::{Mark, Origin, checksum};

/// What may be written over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// Nothing.
    Nothing,
    /// A file with the same mark that nobody has edited since it was written.
    Unchanged,
    /// A file of this checksum: a text that was read, and that nobody has edited since.
    Same(u64),
    /// Any file, because a person said so; still nothing that is no file.
    Anything,
}

/// Why a file is not written: the end of a sentence that begins with its name.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// A folder, FIFO, socket, device, or a link within a folder that is written.
    #[error("is no file but {0}")]
    NotAFile(&'static str),
    /// A link to nothing: what it would make, and where, is not known.
    #[error("is a link that leads nowhere")]
    Dangling,
    /// Files of this kind carry no mark, or this one is not to be replaced.
    #[error("exists already")]
    There,
    /// Not ours.
    #[error("exists and was not made by plimsoll")]
    Foreign,
    /// Ours, of another kind.
    #[error("is {found} made by plimsoll, and not {wanted}")]
    OtherKind {
        /// What it is.
        found: String,
        /// What is to be written.
        wanted: &'static str,
    },
    /// Ours, and somebody changed it.
    #[error("was made by plimsoll and edited since")]
    Edited,
    /// Not as it was read.
    #[error("was changed by somebody else since it was opened")]
    Changed,
    /// What is there cannot be read, so nobody knows whose it is.
    #[error("exists and cannot be read: {0}")]
    Unreadable(io::Error),
    /// Somebody wrote there while the answer was worked out.
    #[error("was written by somebody else meanwhile")]
    Meanwhile,
    /// What the system says.
    #[error("cannot be written: {0}")]
    Io(#[from] io::Error),
}

impl Refusal {
    /// Whether [`Over::Anything`] would have written it.
    pub fn may_be_forced(&self) -> bool {
        match self {
            Self::There
            | Self::Foreign
            | Self::OtherKind { .. }
            | Self::Edited
            | Self::Changed
            | Self::Unreadable(_)
            | Self::Meanwhile => true,
            Self::NotAFile(_) | Self::Dangling | Self::Io(_) => false,
        }
    }
}

/// The largest file that is looked at for a mark; none that we mark is near it.
const MARKED_BYTES_MAX: u64 = 64 << 20;

/// Whether a file may be written there: asked before the work, and again by [`Written`].
///
/// # Errors
///
/// Why not.
pub fn check(path: &Path, mark: Option<Mark>, over: Over) -> Result<(), Refusal> {
    let (folder, name) = place(path)?;
    match Folder::open(&folder) {
        Ok(folder) => may_write(&folder, &name, mark, over).map(|_| ()),
        // It is made when there is something to write.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Whether a file in a folder carries a mark and nobody has edited it since.
pub fn is_unchanged(folder: &Folder, name: &OsStr, mark: Mark) -> bool {
    may_write(folder, name, Some(mark), Over::Unchanged).is_ok_and(|seen| seen.is_some())
}

/// Writes a text with its mark, whole or not at all.
///
/// # Errors
///
/// Why not; what was there is as it was then.
pub fn write(path: &Path, text: &str, mark: Option<Mark>, over: Over) -> Result<(), Refusal> {
    let mut written = Written::begin(path, mark, over)?;
    written.fill(text, mark)?;
    written.finish()
}

/// Folder and name of the file that a path leads to. A link that a user names stays one: what it leads to is written.
fn place(path: &Path) -> Result<(PathBuf, OsString), Refusal> {
    let path = match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_symlink() => match fs::canonicalize(path) {
            Ok(target) => target,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Refusal::Dangling),
            Err(error) => return Err(error.into()),
        },
        Ok(_) => path.to_owned(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(error.into()),
    };
    let Some(name) = path.file_name() else {
        return Err(Refusal::NotAFile("a folder"));
    };
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    Ok((folder.to_owned(), name.to_owned()))
}

/// What is there and would be written over; or why nothing may be written.
fn may_write(folder: &Folder, name: &OsStr, mark: Option<Mark>, over: Over) -> Result<Option<Seen>, Refusal> {
    let Some(seen) = folder.look(name)? else {
        return Ok(None);
    };
    match seen.kind {
        Kind::File => {}
        Kind::Folder => return Err(Refusal::NotAFile("a folder")),
        Kind::Link => return Err(Refusal::NotAFile("a link")),
        Kind::Other => return Err(Refusal::NotAFile("a FIFO, socket or device")),
    }
    let mark = match (over, mark) {
        (Over::Anything, _) => return Ok(Some(seen)),
        (Over::Nothing, _) | (Over::Unchanged, None) => return Err(Refusal::There),
        (Over::Same(sum), _) => {
            let is_same = checksum(bytes(folder, name)?) == sum;
            return is_same.then_some(Some(seen)).ok_or(Refusal::Changed);
        }
        (Over::Unchanged, Some(mark)) => mark,
    };
    match mark.origin(&bytes(folder, name)?) {
        Origin::Unchanged => Ok(Some(seen)),
        Origin::Edited => Err(Refusal::Edited),
        Origin::Foreign => Err(Refusal::Foreign),
        Origin::OtherKind(found) => Err(Refusal::OtherKind { found, wanted: mark.kind }),
    }
}

/// What is in a file that may be marked.
fn bytes(folder: &Folder, name: &OsStr) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    folder
        .file(name, false)
        .and_then(|file| file.take(MARKED_BYTES_MAX).read_to_end(&mut bytes))
        .map_err(Refusal::Unreadable)?;
    Ok(bytes)
}

/// A file on its way: nothing of it is left unless [`Self::finish`] puts it in its place.
#[derive(Debug)]
pub struct Written {
    folder: Folder,
    name: OsString,
    over: Over,
    /// What it will replace.
    replaced: Option<Seen>,
    file: BufWriter<File>,
    /// Its name until then, where it has one.
    beside: Option<(OsString, Id)>,
}

impl Written {
    /// Begins a file at a path; its folder must be there.
    ///
    /// # Errors
    ///
    /// Why not, as [`check`] says it.
    pub fn begin(path: &Path, mark: Option<Mark>, over: Over) -> Result<Self, Refusal> {
        let (folder, name) = place(path)?;
        Self::begin_in(Folder::open(&folder)?, &name, mark, over)
    }

    /// Begins a file in a folder.
    ///
    /// # Errors
    ///
    /// Why not, as [`check`] says it.
    pub fn begin_in(folder: Folder, name: &OsStr, mark: Option<Mark>, over: Over) -> Result<Self, Refusal> {
        let replaced = may_write(&folder, name, mark, over)?;
        let (file, beside) = fresh(&folder)?;
        let written = Self { folder, name: name.to_owned(), over, replaced, file: BufWriter::new(file), beside };
        if let Some(old) = &written.replaced {
            old.give_mode(written.file.get_ref())?;
        }
        Ok(written)
    }

    /// Writes a text with its mark.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn fill(&mut self, text: &str, mark: Option<Mark>) -> io::Result<()> {
        match mark {
            Some(mark) => self.write_all(mark.on(text).as_bytes()),
            None => self.write_all(text.as_bytes()),
        }
    }

    /// Puts it in its place, once it is safe on the disk.
    ///
    /// # Errors
    ///
    /// Why not; nothing of it is left then.
    pub fn finish(mut self) -> Result<(), Refusal> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        let there = self.folder.look(&self.name)?;
        let is_file = there.is_none_or(|seen| seen.kind == Kind::File);
        if there != self.replaced && !(self.over == Over::Anything && is_file) {
            return Err(Refusal::Meanwhile);
        }
        let moved = if there.is_none() { self.move_fresh() } else { self.move_over() };
        moved.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Refusal::Meanwhile,
            _ => error.into(),
        })
    }

    /// To a name that nothing has.
    fn move_fresh(&mut self) -> io::Result<()> {
        match &self.beside {
            None => name_it(&self.folder, self.file.get_ref(), &self.name),
            Some((beside, _)) => {
                self.folder.rename_fresh(beside, &self.name)?;
                self.beside = None;
                Ok(())
            }
        }
    }

    /// To a name that a file has.
    fn move_over(&mut self) -> io::Result<()> {
        if self.beside.is_none() {
            let id = Seen::of(self.file.get_ref())?.id;
            let file = self.file.get_ref();
            let beside = under_a_fresh_name(|name| name_it(&self.folder, file, name))?;
            self.beside = Some((beside, id));
        }
        if let Some((beside, id)) = &self.beside {
            self.folder.is_still(beside, *id, Kind::File)?;
            self.folder.rename(beside, &self.name)?;
        }
        self.beside = None;
        Ok(())
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        if let Some((beside, id)) = self.beside.take() {
            // The error that is told is the first; a name that somebody else took stays theirs.
            drop(self.folder.remove(&beside, id));
        }
    }
}

/// A file to write to: without a name where there are such files, else beside its place.
fn fresh(folder: &Folder) -> io::Result<(File, Option<(OsString, Id)>)> {
    if let Some(file) = unnamed(folder) {
        return Ok((file, None));
    }
    let mut made = None;
    let name = under_a_fresh_name(|name| {
        made = Some(folder.create(name, false)?);
        Ok(())
    })?;
    let file = made.ok_or(io::ErrorKind::Other)?;
    let id = Seen::of(&file)?.id;
    Ok((file, Some((name, id))))
}

/// Makes something under a name that nothing has; gives the name.
fn under_a_fresh_name(mut make: impl FnMut(&OsStr) -> io::Result<()>) -> io::Result<OsString> {
    let mut number = 0;
    loop {
        let name = format!(".plimsoll-{}-{number}.unfinished", std::process::id());
        match make(OsStr::new(&name)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 100 => {
                number += 1;
            }
            made => return made.map(|()| name.into()),
        }
    }
}

#[cfg(target_os = "linux")]
fn unnamed(folder: &Folder) -> Option<File> {
    // Without /proc it could not be given a name later.
    Path::new("/proc/self/fd").exists().then_some(())?;
    folder.create_unnamed().ok()
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_: &Folder) -> Option<File> {
    None
}

#[cfg(target_os = "linux")]
fn name_it(folder: &Folder, file: &File, name: &OsStr) -> io::Result<()> {
    folder.link(file, name)
}

#[cfg(not(target_os = "linux"))]
fn name_it(_: &Folder, _: &File, _: &OsStr) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::super::mark::Style;
    use super::*;

    const MARK: Mark = Mark { style: Style::Hash, kind: "a fit" };

    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("plimsoll-{name}-{}", std::process::id()));
            drop(fs::remove_dir_all(&folder));
            fs::create_dir_all(&folder).expect("a folder");
            Self(folder)
        }

        fn names(&self) -> Vec<OsString> {
            let mut names = Folder::open(&self.0).and_then(|f| f.names()).expect("names");
            names.sort();
            names
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            drop(fs::remove_dir_all(&self.0));
        }
    }

    fn text(path: &Path) -> String {
        let mut text = String::new();
        let read = File::open(path).and_then(|mut file| file.read_to_string(&mut text));
        read.expect("a text");
        text
    }

    #[test]
    fn a_file_of_ours_is_replaced_until_it_is_edited() {
        let folder = Scratch::new("ours");
        let path = folder.0.join("fit.toml");
        write(&path, "a = 1\n", Some(MARK), Over::Unchanged).expect("a new file");
        write(&path, "a = 2\n", Some(MARK), Over::Unchanged).expect("our own");
        let ours = text(&path);
        assert!(ours.starts_with("a = 2\n# made by plimsoll "), "{ours}");
        let edited = ours.replace("a = 2", "a = 3");
        fs::write(&path, &edited).expect("an edit");
        let refused = write(&path, "a = 4\n", Some(MARK), Over::Unchanged);
        assert!(matches!(refused, Err(Refusal::Edited)), "{refused:?}");
        assert_eq!(text(&path), edited);
        let other = Mark { kind: "a report", ..MARK };
        let refused = write(&path, "a = 4\n", Some(other), Over::Unchanged);
        assert!(matches!(refused, Err(Refusal::OtherKind { .. })));
        for (kept, mark, over) in [
            ("", Some(MARK), Over::Unchanged),
            ("a = 1\n", Some(MARK), Over::Unchanged),
            ("a = 1\n", None, Over::Unchanged),
            ("a = 1\n", Some(MARK), Over::Nothing),
        ] {
            fs::write(&path, kept).expect("a file");
            let refused = write(&path, "a = 4\n", mark, over).expect_err("not ours");
            assert!(refused.may_be_forced());
            assert_eq!(text(&path), kept);
        }
        write(&path, "a = 5\n", None, Over::Anything).expect("forced");
        assert_eq!(text(&path), "a = 5\n");
        assert_eq!(folder.names(), ["fit.toml"]);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_refused_whatever_is_said() {
        use std::os::unix::fs::symlink;
        let folder = Scratch::new("no-file");
        let at = |name: &str| folder.0.join(name);
        fs::create_dir(at("folder")).expect("a folder");
        symlink(at("nowhere"), at("dangling")).expect("a link");
        symlink(at("loop"), at("loop")).expect("a link");
        symlink("/dev/null", at("device")).expect("a link");
        let fifo = std::process::Command::new("mkfifo").arg(at("fifo")).status();
        assert!(fifo.expect("mkfifo").success());
        for name in ["folder", "dangling", "loop", "device", "fifo"] {
            for over in [Over::Nothing, Over::Unchanged, Over::Anything] {
                let refused = write(&at(name), "a = 1\n", Some(MARK), over).expect_err(name);
                assert!(!refused.may_be_forced(), "{name}: {refused}");
                assert!(check(&at(name), Some(MARK), over).is_err(), "{name}");
            }
        }
        assert!(!at("nowhere").exists());
        // A link to a file of ours stays a link.
        write(&at("real"), "a = 1\n", Some(MARK), Over::Unchanged).expect("a new file");
        symlink(at("real"), at("link")).expect("a link");
        write(&at("link"), "a = 2\n", Some(MARK), Over::Unchanged).expect("through the link");
        assert!(fs::symlink_metadata(at("link")).is_ok_and(|meta| meta.is_symlink()));
        assert!(text(&at("real")).starts_with("a = 2\n"));
    }

    #[test]
    fn what_is_not_finished_leaves_nothing_and_what_comes_meanwhile_stays() {
        let folder = Scratch::new("unfinished");
        let path = folder.0.join("trace.csv");
        let mut trace = Written::begin(&path, None, Over::Nothing).expect("a new file");
        trace.write_all(&vec![b'x'; 100_000]).expect("room");
        assert!(!path.exists());
        drop(trace);
        assert!(folder.names().is_empty());
        let trace = Written::begin(&path, None, Over::Nothing).expect("a new file");
        fs::write(&path, "theirs").expect("a file");
        let refused = trace.finish().expect_err("theirs");
        assert!(matches!(refused, Refusal::Meanwhile), "{refused}");
        assert_eq!(text(&path), "theirs");
        assert_eq!(folder.names(), ["trace.csv"]);
    }

    #[cfg(unix)]
    #[test]
    fn who_may_read_a_file_may_read_its_successor() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = Scratch::new("mode");
        let path = folder.0.join("fit.toml");
        write(&path, "a = 1\n", Some(MARK), Over::Unchanged).expect("a new file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("ours");
        write(&path, "a = 2\n", Some(MARK), Over::Unchanged).expect("our own");
        let mode = fs::metadata(&path).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }

    /// Where no file can be without a name.
    #[test]
    fn a_file_beside_its_place_is_moved_or_removed() {
        let folder = Scratch::new("beside");
        for finish in [false, true, true] {
            let handle = Folder::open(&folder.0).expect("a folder");
            let name = OsStr::new("fit.toml");
            let mut written = Written::begin_in(handle, name, Some(MARK), Over::Unchanged).expect("ours");
            let mut file = None;
            let beside = under_a_fresh_name(|name| {
                file = Some(written.folder.create(name, false)?);
                Ok(())
            })
            .expect("a name");
            let file = file.expect("made");
            let id = Seen::of(&file).expect("it is open").id;
            written.file = BufWriter::new(file);
            written.beside = Some((beside, id));
            written.fill("a = 1\n", Some(MARK)).expect("room");
            if finish {
                written.finish().expect("moved");
                assert_eq!(folder.names(), ["fit.toml"]);
            } else {
                drop(written);
                assert!(folder.names().is_empty());
            }
        }
    }
}
