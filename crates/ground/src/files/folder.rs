//! A folder held open, and what is done in it.
//!
//! A path is looked up anew each time, so that a folder may be exchanged for a link to another between two steps. A
//! handle stays with the folder that was opened. Elsewhere than on Unix there are no such handles in the standard
//! library: there links are refused when they are met, and no identities are compared.

use std::ffi::OsStr;
use std::io;

#[cfg(not(unix))]
pub use other::Folder;
#[cfg(unix)]
pub use unix::Folder;

/// Which file or folder something is, whatever it is called: device and inode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Id {
    /// The filesystem.
    pub device: u64,
    /// The number in it; stays over restarts, unlike the filesystem's.
    pub inode: u64,
}

/// What kind of thing lies under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A link, whatever it leads to.
    Link,
    /// A FIFO, socket or device.
    Other,
}

/// What lies under a name, itself and not what a link leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// Which one.
    pub id: Id,
    /// Of which kind.
    pub kind: Kind,
    /// Its owner's number; 0 where there are none.
    pub owner: u32,
    /// What owner, group and others may do, as Unix writes it; 0 elsewhere.
    pub mode: u32,
    /// Its size \[B\].
    pub bytes: u64,
    /// When it was last written, in nanoseconds since 1970; 0 where the system does not say.
    pub written_ns: i128,
}

/// The error of a name under which something else lies than was left there.
fn exchanged() -> io::Error {
    io::Error::other("something else took its place")
}

impl Folder {
    /// Says so where something else lies under a name than was left there.
    pub fn is_still(&self, name: impl AsRef<OsStr>, id: Id, kind: Kind) -> io::Result<()> {
        match self.look(&name)? {
            Some(seen) if seen.id == id && seen.kind == kind => Ok(()),
            Some(_) => Err(exchanged()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Removes a file, if it is this one.
    pub fn remove(&self, name: impl AsRef<OsStr>, id: Id) -> io::Result<()> {
        self.is_still(&name, id, Kind::File)?;
        self.remove_unseen(name)
    }
}

#[cfg(unix)]
mod unix {
    use std::ffi::{OsStr, OsString};
    use std::fs::File;
    use std::io;
    use std::os::fd::{AsFd as _, OwnedFd};
    use std::os::unix::ffi::OsStrExt as _;
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, RenameFlags, Stat};
    use rustix::io::Errno;

    use super::{Id, Kind, Seen, exchanged};

    /// A folder held open.
    #[derive(Debug)]
    pub struct Folder {
        handle: OwnedFd,
    }

    /// Opens a folder and nothing else.
    const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
    /// Opens what a name itself is, and waits for nobody.
    const ITSELF: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

    #[expect(clippy::unnecessary_cast, clippy::allow_attributes, reason = "the types differ by system")]
    #[allow(trivial_numeric_casts, reason = "the types differ by system")]
    fn seen(stat: &Stat) -> Seen {
        Seen {
            id: Id { device: stat.st_dev as u64, inode: stat.st_ino as u64 },
            kind: match FileType::from_raw_mode(stat.st_mode) {
                FileType::RegularFile => Kind::File,
                FileType::Directory => Kind::Folder,
                FileType::Symlink => Kind::Link,
                _ => Kind::Other,
            },
            owner: stat.st_uid,
            mode: stat.st_mode as u32 & 0o777,
            bytes: u64::try_from(stat.st_size).unwrap_or_default(),
            written_ns: i128::from(stat.st_mtime) * 1_000_000_000 + i128::from(stat.st_mtime_nsec),
        }
    }

    impl Folder {
        /// Opens a folder by its path, through links.
        pub fn open(path: &Path) -> io::Result<Self> {
            let handle = rustix::fs::open(path, FOLDER, Mode::empty())?;
            Ok(Self { handle })
        }

        /// The same, unless the path itself is a link.
        pub fn open_itself(path: &Path) -> io::Result<Self> {
            let handle = rustix::fs::open(path, FOLDER | OFlags::NOFOLLOW, Mode::empty())?;
            Ok(Self { handle })
        }

        /// Another handle of it.
        pub fn again(&self) -> io::Result<Self> {
            let handle = self.handle.try_clone()?;
            Ok(Self { handle })
        }

        /// A folder in it, unless that is a link.
        pub fn folder(&self, name: impl AsRef<OsStr>) -> io::Result<Self> {
            let flags = FOLDER | OFlags::NOFOLLOW;
            let handle = rustix::fs::openat(&self.handle, plain(&name)?, flags, Mode::empty())?;
            Ok(Self { handle })
        }

        /// The folder that it lies in, wherever it is now.
        pub fn parent(&self) -> io::Result<Self> {
            let handle = rustix::fs::openat(&self.handle, "..", FOLDER, Mode::empty())?;
            Ok(Self { handle })
        }

        /// Makes a folder that must not be there.
        pub fn make(&self, name: impl AsRef<OsStr>, only_owner: bool) -> io::Result<Self> {
            let mode = Mode::from_raw_mode(if only_owner { 0o700 } else { 0o777 });
            rustix::fs::mkdirat(&self.handle, plain(&name)?, mode)?;
            let made = self.folder(&name)?;
            // Whoever may rename here could have exchanged it since: a fresh folder is empty.
            if made.names()?.is_empty() { Ok(made) } else { Err(exchanged()) }
        }

        /// Which folder it is.
        pub fn seen(&self) -> io::Result<Seen> {
            Ok(seen(&rustix::fs::fstat(&self.handle)?))
        }

        /// What lies under a name; none if nothing does.
        pub fn look(&self, name: impl AsRef<OsStr>) -> io::Result<Option<Seen>> {
            match rustix::fs::statat(&self.handle, plain(&name)?, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => Ok(Some(seen(&stat))),
                Err(Errno::NOENT) => Ok(None),
                Err(error) => Err(error.into()),
            }
        }

        /// The volume that it lies on.
        pub fn volume(&self) -> io::Result<rustix::fs::StatVfs> {
            Ok(rustix::fs::fstatvfs(&self.handle)?)
        }

        /// What lies in it, in no order.
        pub fn names(&self) -> io::Result<Vec<OsString>> {
            let mut names = Vec::new();
            for entry in Dir::read_from(&self.handle)? {
                let entry = entry?;
                let name = entry.file_name().to_bytes();
                if name != b"." && name != b".." {
                    names.push(OsStr::from_bytes(name).to_owned());
                }
            }
            Ok(names)
        }

        /// Creates a file that must not be there, for reading and writing.
        pub fn create(&self, name: impl AsRef<OsStr>, only_owner: bool) -> io::Result<File> {
            let mode = Mode::from_raw_mode(if only_owner { 0o600 } else { 0o666 });
            let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | ITSELF;
            let file: File = rustix::fs::openat(&self.handle, plain(&name)?, flags, mode)?.into();
            Ok(file)
        }

        /// A file without a name: it is gone with its last handle, however the program ends, unless [`Self::link`]
        /// names it.
        #[cfg(target_os = "linux")]
        pub fn create_unnamed(&self) -> io::Result<File> {
            let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
            let mode = Mode::from_raw_mode(0o666);
            Ok(rustix::fs::openat(&self.handle, ".", flags, mode)?.into())
        }

        /// Gives a file that has none a name that must not be taken.
        #[cfg(target_os = "linux")]
        pub fn link(&self, file: &File, name: impl AsRef<OsStr>) -> io::Result<()> {
            use std::os::fd::AsRawFd as _;
            // To name it by its handle alone takes a privilege; the kernel's list of handles does not.
            let from = format!("/proc/self/fd/{}", file.as_fd().as_raw_fd());
            let flags = AtFlags::SYMLINK_FOLLOW;
            rustix::fs::linkat(CWD, from, &self.handle, plain(&name)?, flags)?;
            Ok(())
        }

        /// Opens a file in it for reading, and for writing too if `writes`; links and what is no file are refused.
        pub fn file(&self, name: impl AsRef<OsStr>, writes: bool) -> io::Result<File> {
            let access = if writes { OFlags::RDWR } else { OFlags::RDONLY };
            self.opened(name, access)
        }

        /// The same for reading and writing past the page cache.
        #[cfg(target_os = "linux")]
        pub fn file_direct(&self, name: impl AsRef<OsStr>) -> io::Result<File> {
            self.opened(name, OFlags::RDWR | OFlags::DIRECT)
        }

        fn opened(&self, name: impl AsRef<OsStr>, access: OFlags) -> io::Result<File> {
            let flags = access | ITSELF;
            let handle = rustix::fs::openat(&self.handle, plain(&name)?, flags, Mode::empty())?;
            let file: File = handle.into();
            if file.metadata()?.is_file() { Ok(file) } else { Err(exchanged()) }
        }

        /// Renames within it, over what has the name.
        pub fn rename(&self, from: impl AsRef<OsStr>, to: impl AsRef<OsStr>) -> io::Result<()> {
            rustix::fs::renameat(&self.handle, plain(&from)?, &self.handle, plain(&to)?)?;
            Ok(())
        }

        /// Renames within it to a name that must not be taken; where the filesystem cannot promise that, it is looked
        /// at just before.
        pub fn rename_fresh(&self, from: impl AsRef<OsStr>, to: impl AsRef<OsStr>) -> io::Result<()> {
            let (from, to) = (plain(&from)?, plain(&to)?);
            match no_replace(self, from, to) {
                Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
                    if self.look(to)?.is_some() {
                        return Err(io::ErrorKind::AlreadyExists.into());
                    }
                    self.rename(from, to)
                }
                renamed => Ok(renamed?),
            }
        }

        /// Removes what [`Self::is_still`] has just seen: for whoever takes the time of either.
        pub fn remove_unseen(&self, name: impl AsRef<OsStr>) -> io::Result<()> {
            Ok(rustix::fs::unlinkat(&self.handle, plain(&name)?, AtFlags::empty())?)
        }

        /// Removes an empty folder, if it is this one.
        pub fn remove_folder(&self, name: impl AsRef<OsStr>, id: Id) -> io::Result<()> {
            self.is_still(&name, id, Kind::Folder)?;
            Ok(rustix::fs::unlinkat(&self.handle, plain(&name)?, AtFlags::REMOVEDIR)?)
        }
    }

    impl Seen {
        /// A file that is open.
        pub fn of(file: &File) -> io::Result<Self> {
            Ok(seen(&rustix::fs::fstat(file)?))
        }

        /// Lets a file be read and written by those who may do so with this one.
        pub fn give_mode(&self, file: &File) -> io::Result<()> {
            Ok(rustix::fs::fchmod(file, Mode::from_raw_mode(self.mode))?)
        }
    }

    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    fn no_replace(folder: &Folder, from: &OsStr, to: &OsStr) -> Result<(), Errno> {
        let flags = RenameFlags::NOREPLACE;
        rustix::fs::renameat_with(&folder.handle, from, &folder.handle, to, flags)
    }

    #[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
    fn no_replace(_: &Folder, _: &OsStr, _: &OsStr) -> Result<(), Errno> {
        Err(Errno::NOSYS)
    }

    /// A name that leads nowhere else.
    fn plain(name: &impl AsRef<OsStr>) -> io::Result<&OsStr> {
        let name = name.as_ref();
        let is_plain = !name.as_bytes().contains(&b'/') && name != ".." && name != ".";
        is_plain.then_some(name).ok_or_else(|| io::ErrorKind::InvalidInput.into())
    }
}

#[cfg(not(unix))]
mod other {
    use std::ffi::{OsStr, OsString};
    use std::fs::{self, File, Metadata, OpenOptions};
    use std::io;
    use std::path::{Path, PathBuf};
    use std::time::UNIX_EPOCH;

    use super::{Id, Kind, Seen, exchanged};

    /// A folder by its path.
    #[derive(Debug)]
    pub struct Folder {
        path: PathBuf,
    }

    fn seen(meta: &Metadata) -> Seen {
        let written = meta.modified().ok();
        let written = written.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        Seen {
            id: Id { device: 0, inode: 0 },
            kind: if meta.is_symlink() {
                Kind::Link
            } else if meta.is_dir() {
                Kind::Folder
            } else if meta.is_file() {
                Kind::File
            } else {
                Kind::Other
            },
            owner: 0,
            mode: 0,
            bytes: meta.len(),
            written_ns: written.map_or(0, |since| i128::try_from(since.as_nanos()).unwrap_or(0)),
        }
    }

    impl Folder {
        /// Opens a folder by its path, through links.
        pub fn open(path: &Path) -> io::Result<Self> {
            if fs::metadata(path)?.is_dir() {
                let path = path.to_owned();
                Ok(Self { path })
            } else {
                Err(io::ErrorKind::NotADirectory.into())
            }
        }

        /// The same, unless the path itself is a link.
        pub fn open_itself(path: &Path) -> io::Result<Self> {
            if fs::symlink_metadata(path)?.is_dir() {
                Self::open(path)
            } else {
                Err(io::ErrorKind::NotADirectory.into())
            }
        }

        /// The same again.
        #[expect(clippy::unnecessary_wraps, reason = "as on Unix, where it can fail")]
        pub fn again(&self) -> io::Result<Self> {
            let path = self.path.clone();
            Ok(Self { path })
        }

        /// A folder in it, unless that is a link.
        pub fn folder(&self, name: impl AsRef<OsStr>) -> io::Result<Self> {
            Self::open_itself(&self.path.join(name.as_ref()))
        }

        /// The folder that it lies in.
        pub fn parent(&self) -> io::Result<Self> {
            Self::open(&self.path.join(".."))
        }

        /// Makes a folder that must not be there.
        pub fn make(&self, name: impl AsRef<OsStr>, _only_owner: bool) -> io::Result<Self> {
            fs::create_dir(self.path.join(name.as_ref()))?;
            self.folder(name)
        }

        /// Which folder it is.
        pub fn seen(&self) -> io::Result<Seen> {
            Ok(seen(&fs::symlink_metadata(&self.path)?))
        }

        /// What lies under a name; none if nothing does.
        pub fn look(&self, name: impl AsRef<OsStr>) -> io::Result<Option<Seen>> {
            match fs::symlink_metadata(self.path.join(name.as_ref())) {
                Ok(meta) => Ok(Some(seen(&meta))),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error),
            }
        }

        /// What lies in it, in no order.
        pub fn names(&self) -> io::Result<Vec<OsString>> {
            fs::read_dir(&self.path)?.map(|entry| Ok(entry?.file_name())).collect()
        }

        /// Creates a file that must not be there, for reading and writing.
        pub fn create(&self, name: impl AsRef<OsStr>, _only_owner: bool) -> io::Result<File> {
            let mut options = OpenOptions::new();
            options.read(true).write(true).create_new(true);
            options.open(self.path.join(name.as_ref()))
        }

        /// Opens a file in it for reading, and for writing too if `writes`; links and what is no file are refused.
        pub fn file(&self, name: impl AsRef<OsStr>, writes: bool) -> io::Result<File> {
            if self.look(&name)?.is_some_and(|s| s.kind != Kind::File) {
                return Err(exchanged());
            }
            let path = self.path.join(name.as_ref());
            OpenOptions::new().read(true).write(writes).open(path)
        }

        /// Renames within it, over what has the name.
        pub fn rename(&self, from: impl AsRef<OsStr>, to: impl AsRef<OsStr>) -> io::Result<()> {
            fs::rename(self.path.join(from.as_ref()), self.path.join(to.as_ref()))
        }

        /// Renames within it to a name that must not be taken.
        pub fn rename_fresh(&self, from: impl AsRef<OsStr>, to: impl AsRef<OsStr>) -> io::Result<()> {
            if self.look(&to)?.is_some() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            self.rename(from, to)
        }

        /// Removes what [`Self::is_still`] has just seen: for whoever takes the time of either.
        pub fn remove_unseen(&self, name: impl AsRef<OsStr>) -> io::Result<()> {
            fs::remove_file(self.path.join(name.as_ref()))
        }

        /// Removes an empty folder.
        pub fn remove_folder(&self, name: impl AsRef<OsStr>, id: Id) -> io::Result<()> {
            self.is_still(&name, id, Kind::Folder)?;
            fs::remove_dir(self.path.join(name.as_ref()))
        }
    }

    impl Seen {
        /// A file that is open.
        pub fn of(file: &File) -> io::Result<Self> {
            Ok(seen(&file.metadata()?))
        }

        /// Lets a file be read and written by those who may do so with this one: as its folder has it here.
        #[expect(clippy::unnecessary_wraps, reason = "as on Unix, where it can fail")]
        pub fn give_mode(&self, _: &File) -> io::Result<()> {
            Ok(())
        }
    }
}
