//! Opening what a user named, without ever waiting for it.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

/// Why something is not opened for reading.
#[derive(Debug)]
pub enum NotAFile {
    /// Missing, no permission, or broken underneath.
    Io(io::Error),
    /// Something else than a file on a disk, in words: "a directory".
    Is(&'static str),
}

impl From<io::Error> for NotAFile {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// What something is that is no file; none for a file.
pub(super) fn other_than_file(meta: &Metadata) -> Option<&'static str> {
    if meta.is_file() {
        None
    } else if meta.is_dir() {
        Some("a directory")
    } else {
        Some("a FIFO, socket or device")
    }
}

/// Opens a file for reading. A FIFO, a socket, a device, and a file that the kernel makes up as it is read (`/proc/kmsg`
/// waits for the next message) are not opened; what takes a file's place meanwhile is not waited for either.
///
/// # Errors
///
/// What it is instead, or what the system says.
pub fn open_regular(path: &Path) -> Result<File, NotAFile> {
    if let Some(what) = other_than_file(&std::fs::metadata(path)?) {
        return Err(NotAFile::Is(what));
    }
    if platform::is_of_kernel(path)? {
        return Err(NotAFile::Is("the kernel's own, not on any disk"));
    }
    let file = platform::open(path)?;
    match other_than_file(&file.metadata()?) {
        Some(what) => Err(NotAFile::Is(what)),
        None => Ok(file),
    }
}

#[cfg(unix)]
mod platform {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    use rustix::fs::{Mode, OFlags};

    pub(super) fn open(path: &Path) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        Ok(rustix::fs::open(path, flags, Mode::empty())?.into())
    }

    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unnecessary_wraps, reason = "as on Linux, where it can fail")]
    pub(super) fn is_of_kernel(_: &Path) -> io::Result<bool> {
        Ok(false)
    }

    /// Whether a filesystem holds no data of its own: reading may wait, or do something (linux/magic.h).
    #[cfg(target_os = "linux")]
    pub(super) fn is_of_kernel(path: &Path) -> io::Result<bool> {
        const MADE_UP: [u32; 13] = [
            0x9fa0,      // proc
            0x6265_6572, // sysfs
            0x6462_6720, // debugfs
            0x7472_6163, // tracefs
            0x7363_6673, // securityfs
            0x6367_7270, // cgroup2
            0x0027_e0eb, // cgroup
            0x6265_6570, // configfs
            0xcafe_4a11, // bpf
            0x6165_676c, // pstore
            0xde5e_81e4, // efivarfs
            0x4249_4e4d, // binfmt_misc
            0xf97c_ff8c, // selinux
        ];
        let kind = rustix::fs::statfs(path)?.f_type;
        // The numbers have 32 bits; on some machines they come out negative.
        Ok(MADE_UP.contains(&(kind as u32)))
    }
}

#[cfg(not(unix))]
mod platform {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    pub(super) fn open(path: &Path) -> io::Result<File> {
        File::open(path)
    }

    #[expect(clippy::unnecessary_wraps, reason = "as on Linux, where it can fail")]
    pub(super) fn is_of_kernel(_: &Path) -> io::Result<bool> {
        Ok(false)
    }
}
