//! What the operating system offers a benchmark, behind one face for all of them.
//!
//! Linux has all of it. Elsewhere what is missing is [`io::ErrorKind::Unsupported`], and the test that needs
//! it says so in its result.

use std::fs::File;
use std::io;

pub(super) use platform::{
    advise_random, drop_cached, fully_cached, is_memory, lock_ofd, lock_record, open_direct, read_at, space, write_at,
};

/// Room on a volume \[B\].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Space {
    /// All of it.
    pub total: u64,
    /// What an ordinary user may still write.
    pub free: u64,
}

/// What is asked of a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    Shared,
    Exclusive,
    Nothing,
}

/// Takes or gives back a lock on the whole file by `flock`.
pub(super) fn lock_whole(file: &File, hold: Hold) -> io::Result<()> {
    match hold {
        Hold::Shared => file.lock_shared(),
        Hold::Exclusive => file.lock(),
        Hold::Nothing => file.unlock(),
    }
}

#[cfg(not(target_os = "linux"))]
fn unsupported<T>(what: &str) -> io::Result<T> {
    let reason = format!("{what} needs Linux");
    Err(io::Error::new(io::ErrorKind::Unsupported, reason))
}

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::io;
    use std::os::unix::fs::FileExt as _;

    use nix::fcntl::{FcntlArg, fcntl};
    use nix::libc;

    use super::{Hold, Space};
    use crate::files::Folder;

    pub(in super::super) fn read_at(file: &File, block: &mut [u8], at: u64) -> io::Result<()> {
        file.read_exact_at(block, at)
    }

    pub(in super::super) fn write_at(file: &File, block: &[u8], at: u64) -> io::Result<()> {
        file.write_all_at(block, at)
    }

    pub(in super::super) fn space(folder: &Folder) -> io::Result<Space> {
        let found = folder.volume()?;
        Ok(Space {
            total: found.f_blocks.saturating_mul(found.f_frsize),
            free: found.f_bavail.saturating_mul(found.f_frsize),
        })
    }

    /// The whole file, as fcntl describes it.
    #[expect(clippy::cast_possible_truncation, reason = "the constants are small, their types differ by system")]
    pub(super) fn whole(hold: Hold) -> libc::flock {
        libc::flock {
            l_type: match hold {
                Hold::Shared => libc::F_RDLCK,
                Hold::Exclusive => libc::F_WRLCK,
                Hold::Nothing => libc::F_UNLCK,
            } as libc::c_short,
            l_whence: libc::SEEK_SET as libc::c_short,
            l_start: 0,
            l_len: 0,
            l_pid: 0,
        }
    }

    /// Waits for a record lock of fcntl on the whole file; it belongs to the process.
    pub(in super::super) fn lock_record(file: &File, hold: Hold) -> io::Result<()> {
        fcntl(file, FcntlArg::F_SETLKW(&whole(hold)))?;
        Ok(())
    }
}

#[cfg(target_os = "linux")]
mod platform {
    use std::fs::File;
    use std::io::{self, IoSliceMut};

    use nix::fcntl::{FcntlArg, fcntl};
    use rustix::fs::Advice;
    use rustix::io::{Errno, ReadWriteFlags};

    use super::Hold;
    use super::unix::whole;
    pub(in super::super) use super::unix::{lock_record, read_at, space, write_at};
    use crate::files::Folder;

    /// Opens a file past the page cache.
    pub(in super::super) fn open_direct(folder: &Folder, name: &str) -> io::Result<File> {
        folder.file_direct(name)
    }

    /// Whether the filesystem lives in memory: it accepts `O_DIRECT` and has nothing to go to directly.
    pub(in super::super) fn is_memory(file: &File) -> io::Result<bool> {
        // linux/magic.h: TMPFS_MAGIC, RAMFS_MAGIC.
        const IN_MEMORY: [u64; 2] = [0x0102_1994, 0x8584_58f6];
        let kind = u64::try_from(rustix::fs::fstatfs(file)?.f_type).unwrap_or_default();
        Ok(IN_MEMORY.contains(&kind))
    }

    /// Waits for a lock of an open file description on the whole file.
    pub(in super::super) fn lock_ofd(file: &File, hold: Hold) -> io::Result<()> {
        fcntl(file, FcntlArg::F_OFD_SETLKW(&whole(hold)))?;
        Ok(())
    }

    /// Reads will come in no order: none ahead.
    pub(in super::super) fn advise_random(file: &File) -> io::Result<()> {
        Ok(rustix::fs::fadvise(file, 0, None, Advice::Random)?)
    }

    /// Asks the kernel to forget the file's pages, which must be clean.
    pub(in super::super) fn drop_cached(file: &File) -> io::Result<()> {
        Ok(rustix::fs::fadvise(file, 0, None, Advice::DontNeed)?)
    }

    /// Whether the block at `at` is in the page cache as a whole; None where the filesystem does not tell.
    pub(in super::super) fn fully_cached(file: &File, block: &mut [u8], at: u64) -> io::Result<Option<bool>> {
        let length = block.len();
        let mut slices = [IoSliceMut::new(block)];
        match rustix::io::preadv2(file, &mut slices, at, ReadWriteFlags::NOWAIT) {
            Ok(read) => Ok(Some(read == length)),
            Err(Errno::AGAIN) => Ok(Some(false)),
            Err(Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod platform {
    use std::fs::File;
    use std::io;

    #[cfg(windows)]
    use super::Space;
    #[cfg(unix)]
    pub(in super::super) use super::unix::{lock_record, read_at, space, write_at};
    use super::{Hold, unsupported};
    use crate::files::Folder;

    pub(in super::super) fn open_direct(_: &Folder, _: &str) -> io::Result<File> {
        unsupported("reading past the page cache")
    }

    #[expect(clippy::unnecessary_wraps, reason = "as on Linux, where it can fail")]
    pub(in super::super) fn is_memory(_: &File) -> io::Result<bool> {
        Ok(false)
    }

    pub(in super::super) fn lock_ofd(_: &File, _: Hold) -> io::Result<()> {
        unsupported("a lock of an open file description")
    }

    pub(in super::super) fn advise_random(_: &File) -> io::Result<()> {
        unsupported("advice to the page cache")
    }

    pub(in super::super) fn drop_cached(_: &File) -> io::Result<()> {
        unsupported("emptying the page cache of one file")
    }

    #[expect(clippy::unnecessary_wraps, reason = "as on Linux, where it can fail")]
    pub(in super::super) fn fully_cached(_: &File, _: &mut [u8], _: u64) -> io::Result<Option<bool>> {
        Ok(None)
    }

    #[cfg(windows)]
    pub(in super::super) fn lock_record(_: &File, _: Hold) -> io::Result<()> {
        unsupported("a record lock of fcntl")
    }

    #[cfg(windows)]
    pub(in super::super) fn space(_: &Folder) -> io::Result<Space> {
        unsupported("asking for the volume's free space")
    }

    #[cfg(windows)]
    pub(in super::super) fn read_at(file: &File, block: &mut [u8], at: u64) -> io::Result<()> {
        use std::os::windows::fs::FileExt as _;
        let mut done = 0;
        while done < block.len() {
            let read = file.seek_read(&mut block[done..], at + done as u64)?;
            if read == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            done += read;
        }
        Ok(())
    }

    #[cfg(windows)]
    pub(in super::super) fn write_at(file: &File, block: &[u8], at: u64) -> io::Result<()> {
        use std::os::windows::fs::FileExt as _;
        let mut done = 0;
        while done < block.len() {
            let written = file.seek_write(&block[done..], at + done as u64)?;
            if written == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            done += written;
        }
        Ok(())
    }
}
