//! Embeds what `models/` and `calibration/` hold, so that to add a file there is all that adds an entry.
//!
//! Four lists in `OUT_DIR`, each the value of a constant: `models.rs` (kind, id and text), `rules.rs` (id and text), `sources.rs`
//! and `experiments.rs` (path and text), sorted by path so that each machine builds the same binary.
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Files of `calibration/` that are no source: other modules embed them by name.
const NO_SOURCE: [&str; 3] = ["accuracy.toml", "fit.toml", "fitted.toml"];

fn main() -> io::Result<()> {
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR")?).join("../..");
    let out = PathBuf::from(variable("OUT_DIR")?);
    println!("cargo:rerun-if-changed=build.rs");

    // A folder that is new is a kind that is new.
    println!("cargo:rerun-if-changed=../../models");
    let mut models = String::from("&[\n");
    for kind in sorted(&root.join("models"), Path::is_dir)? {
        let folder = format!("models/{kind}");
        println!("cargo:rerun-if-changed=../../{folder}");
        for name in files_in(&root.join(&folder), "toml")? {
            let id = name.trim_end_matches(".toml");
            let text = text_of(&root, &folder, &name);
            entry(&mut models, &format!("{kind:?}, {id:?}, {text}"))?;
        }
    }
    models.push_str("]\n");
    fs::write(out.join("models.rs"), models)?;

    let mut rules = String::from("&[\n");
    for name in files_in(&root.join("models/rules"), "md")? {
        let id = name.trim_end_matches(".md");
        let text = text_of(&root, "models/rules", &name);
        entry(&mut rules, &format!("{id:?}, {text}"))?;
    }
    rules.push_str("]\n");
    fs::write(out.join("rules.rs"), rules)?;

    for (list, folder) in [("sources.rs", "calibration"), ("experiments.rs", "calibration/experiments")] {
        println!("cargo:rerun-if-changed=../../{folder}");
        let mut files = String::from("&[\n");
        let names = files_in(&root.join(folder), "toml")?.into_iter();
        for name in names.filter(|name| !NO_SOURCE.contains(&name.as_str())) {
            let path = format!("{folder}/{name}");
            let text = text_of(&root, folder, &name);
            entry(&mut files, &format!("{path:?}, {text}"))?;
        }
        files.push_str("]\n");
        fs::write(out.join(list), files)?;
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "cargo tells a build script its folders in variables")]
fn variable(name: &str) -> io::Result<String> {
    env::var(name).map_err(|error| io::Error::other(format!("{name}: {error}")))
}

fn files_in(folder: &Path, extension: &str) -> io::Result<Vec<String>> {
    sorted(folder, |path| path.extension().is_some_and(|e| e == extension))
}

/// Names of those entries of a folder, in order.
fn sorted(folder: &Path, is_wanted: impl Fn(&Path) -> bool) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for found in fs::read_dir(folder)? {
        let found = found?;
        if is_wanted(&found.path()) {
            let name = found.file_name().into_string();
            let not_utf8 = |name: std::ffi::OsString| io::Error::other(format!("{} is not UTF-8", name.display()));
            names.push(name.map_err(not_utf8)?);
        }
    }
    names.sort();
    Ok(names)
}

/// The expression whose value is the text of a file.
fn text_of(root: &Path, folder: &str, name: &str) -> String {
    let path = root.join(folder).join(name);
    format!("include_str!({:?})", path.display().to_string())
}

fn entry(list: &mut String, values: &str) -> io::Result<()> {
    writeln!(list, "    ({values}),").map_err(io::Error::other)
}
