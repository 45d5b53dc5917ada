//! Files that a command writes: one where its option says, or a folder of them, each whole or not at all.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;

use crate::diag::quoted;
use crate::files::{self, Folder, Id, Mark, Over, Refusal, Style, Written};

/// A file that an option names.
#[derive(Clone, Copy)]
pub(super) struct Output<'a> {
    pub(super) path: &'a Path,
    /// By which it is known again; none where its form has no room for one.
    pub(super) mark: Option<Mark>,
    pub(super) over: Over,
    /// The option with which a person says that any file may be written over.
    pub(super) option: &'static str,
}

/// What may be written over, as an option says.
pub(super) fn over(force: bool) -> Over {
    if force { Over::Anything } else { Over::Unchanged }
}

impl<'a> Output<'a> {
    /// A file that `--force` writes over whatever it is.
    pub(super) fn new(path: &'a Path, mark: Option<Mark>, force: bool) -> Self {
        Self { path, mark, over: over(force), option: "--force" }
    }

    /// Whether it may be written: asked before the work.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.path == Path::new("-") {
            return Err("an output goes to a file, not to standard output: name one in place of \"-\"".to_owned());
        }
        has_folder(self.path)?;
        files::check(self.path, self.mark, self.over).map_err(|refusal| self.said(&refusal))
    }

    /// Writes it; its folder is there.
    pub(super) fn write(&self, text: &str) -> Result<(), String> {
        let mut written = self.begin()?;
        written
            .fill(text, self.mark)
            .map_err(Refusal::Io)
            .and_then(|()| written.finish())
            .map_err(|refusal| self.said(&refusal))
    }

    /// Begins it, for a writer that knows its parts one after the other; its folder is there.
    pub(super) fn begin(&self) -> Result<Written, String> {
        has_folder(self.path)?;
        let begun = Written::begin(self.path, self.mark, self.over);
        begun.map_err(|refusal| self.said(&refusal))
    }

    /// Why it is not written, and with which option it would be.
    pub(super) fn said(&self, refusal: &Refusal) -> String {
        said(&self.path.to_string_lossy(), refusal, self.option)
    }
}

/// Nothing is made where a path is misspelt: the folder that a file or folder shall lie in is there.
pub(super) fn has_folder(path: &Path) -> Result<(), String> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    match parent.filter(|parent| !parent.is_dir() && fs::symlink_metadata(parent).is_err()) {
        Some(parent) => Err(format!("{} cannot be written: the folder {} does not exist", shown(path), shown(parent))),
        None => Ok(()),
    }
}

fn said(name: &str, refusal: &Refusal, option: &str) -> String {
    let name = quoted(name);
    if refusal.may_be_forced() {
        format!("{name} {refusal}; {option} overwrites it")
    } else {
        format!("{name} {refusal}")
    }
}

/// Writes files all of which are whole before any has its name, so that a stop leaves none half written. Says of each whether it
/// took the place of another.
pub(super) fn write_together<const N: usize>(files: [(Output<'_>, &str); N]) -> Result<[bool; N], String> {
    let mut begun = Vec::new();
    for (output, text) in files {
        let mut written = output.begin()?;
        let filled = written.fill(text, output.mark);
        filled.map_err(|error| output.said(&error.into()))?;
        begun.push((output, written));
    }
    let replaced = files.map(|(output, _)| output.path.exists());
    for (output, written) in begun {
        written.finish().map_err(|refusal| output.said(&refusal))?;
    }
    Ok(replaced)
}

/// A document and where it goes below the folder: plain names with `/` between them.
pub(super) struct Document {
    /// Such as `config/commit-server/fstab`.
    pub(super) path: String,
    /// What it says.
    pub(super) text: String,
    /// By which it is known again.
    pub(super) mark: Mark,
}

/// What marks a file of configuration: all of their languages have comments that begin with `#`.
pub(super) const CONFIGURATION: Mark = Mark { style: Style::Hash, kind: "a file of configuration" };

/// Whether documents may be written there: it is not there and what it lies in is, or it is a folder. Asked before the work; each file in it
/// is looked at when its name is known.
pub(super) fn check(folder: &Path) -> Result<(), String> {
    has_folder(folder)?;
    match Folder::open(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(not_into(folder, &error)),
        // A link that leads nowhere is found missing too.
        Err(_) if fs::symlink_metadata(folder).is_ok() => Err(format!("{} {}", shown(folder), Refusal::Dangling)),
        _ => Ok(()),
    }
}

fn shown(path: &Path) -> String {
    quoted(&path.to_string_lossy())
}

fn not_into(folder: &Path, error: &io::Error) -> String {
    format!("cannot write into {}: {error}", shown(folder))
}

/// What was written below a folder.
#[derive(Debug, Default)]
pub(super) struct Below {
    /// The paths of the documents.
    pub(super) written: Vec<String>,
    /// Files of configuration of an earlier answer that are no part of this one.
    pub(super) earlier: Vec<String>,
}

/// Folders that were made for documents; removed again where nothing came of it.
#[derive(Default)]
struct Made(Vec<(Folder, String, Id)>);

impl Drop for Made {
    fn drop(&mut self) {
        for (parent, name, id) in self.0.drain(..).rev() {
            // What is not empty stays, and so does what somebody else made.
            drop(parent.remove_folder(&name, id));
        }
    }
}

/// Makes a folder that is named for what is written into it, not those above it.
pub(super) fn make_folder(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        return Ok(());
    }
    fs::create_dir(folder).map_err(|error| not_into(folder, &error))
}

/// Writes the documents, all of them or none: makes the folder where there is something to write, and says of each
/// file that stands in the way why it is not written over.
pub(super) fn write(folder: &Path, documents: &[Document], over: Over) -> Result<Below, String> {
    check(folder)?;
    let mut below = Below::default();
    if documents.is_empty() {
        return Ok(below);
    }
    let fresh = !folder.exists();
    make_folder(folder)?;
    Folder::open(folder)
        .map_err(|error| not_into(folder, &error))
        .and_then(|root| {
            let refused = |error: &io::Error| not_into(folder, error);
            let begun = begin(folder, &root, documents, over)?;
            below.earlier = earlier(folder, &root, documents).map_err(|error| refused(&error))?;
            let (mut made, all) = begun;
            for (document, written) in documents.iter().zip(all) {
                let path = folder.join(&document.path);
                written.finish().map_err(|refusal| said(&path.to_string_lossy(), &refusal, "--force"))?;
                below.written.push(path.display().to_string());
            }
            made.0.clear();
            Ok(())
        })
        .inspect_err(|_| {
            if fresh {
                // Made above for documents that did not come; what is in it, if anything is, stays.
                drop(fs::remove_dir(folder));
            }
        })?;
    Ok(below)
}

/// All documents, complete but for their names; every one that may not be written is told.
fn begin(folder: &Path, root: &Folder, documents: &[Document], over: Over) -> Result<(Made, Vec<Written>), String> {
    let (mut made, mut begun) = (Made::default(), Vec::new());
    let mut refused = Vec::new();
    for document in documents {
        let one = into(root, &document.path, &mut made)
            .map_err(Refusal::Io)
            .and_then(|(folder, name)| Written::begin_in(folder, OsStr::new(name), Some(document.mark), over))
            .and_then(|mut written| {
                written.fill(&document.text, Some(document.mark))?;
                Ok(written)
            });
        match one {
            Ok(written) => begun.push(written),
            Err(refusal) => {
                let path = folder.join(&document.path);
                refused.push(said(&path.to_string_lossy(), &refusal, "--force"));
            }
        }
    }
    if refused.is_empty() { Ok((made, begun)) } else { Err(format!("nothing was written: {}", refused.join("\n  "))) }
}

/// The folder that a document goes to, made where it is not there, and the document's own name. No link is followed.
fn into<'p>(root: &Folder, path: &'p str, made: &mut Made) -> io::Result<(Folder, &'p str)> {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let mut at = root.again()?;
    for name in folders.split('/').filter(|name| !name.is_empty()) {
        let next = match at.folder(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let next = at.make(name, false)?;
                made.0.push((at, name.to_owned(), next.seen()?.id));
                next
            }
            found => found?,
        };
        at = next;
    }
    Ok((at, name))
}

/// Configuration of ours that nobody edited, below the folders of servers, and that is not among the documents.
fn earlier(folder: &Path, root: &Folder, documents: &[Document]) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    let Ok(configuration) = root.folder("config") else {
        return Ok(found);
    };
    for server in configuration.names()? {
        let Ok(files) = configuration.folder(&server) else {
            continue;
        };
        for name in files.names()? {
            let Some(path) = (|| {
                let path = format!("config/{}/{}", server.to_str()?, name.to_str()?);
                (!documents.iter().any(|d| d.path == path)).then_some(path)
            })() else {
                continue;
            };
            let is_ours = files::is_unchanged(&files, &name, CONFIGURATION);
            found.extend(is_ours.then(|| folder.join(path).display().to_string()));
        }
    }
    found.sort();
    Ok(found)
}
