//! `fit.toml` as text: what a user's folder holds once their measurement brought parameters of its own.

use std::fmt::Write as _;

use super::Free;

/// The text of `fit.toml` that reads back as `free`.
pub fn fit_toml(free: &[Free]) -> String {
    let mut out = String::from(
        "# What a fit may move, and how far from what it stands at: written by `plimsoll calibrate --add --save`.\n\
         # `own` marks what a measurement of your own brought.\n\
         schema = 1\n",
    );
    let text = |text: &str| toml::Value::String(text.to_owned()).to_string();
    for one in free {
        let scales: Vec<String> = one.scales.iter().map(|number| text(&number.to_string())).collect();
        let _infallible = write!(
            out,
            "\n[[free]]\nid = {}\ntitle = {}\nscales = [{}]\nprior = \"{} %\"\nwhy = {}\n",
            text(&one.id),
            text(&one.title),
            scales.join(", "),
            (one.prior * 1e8).round() / 1e6,
            text(&one.why),
        );
        if one.own {
            out.push_str("own = true\n");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::posterior::Posterior;

    #[test]
    fn what_is_written_reads_back() {
        let mut free = Posterior::embedded().free;
        free[0].own = true;
        free[1].title = "a \"title\"\nof two lines".to_owned();
        let folder = std::env::temp_dir().join(format!("plimsoll-fit-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("fit.toml"), fit_toml(&free)).expect("a file");
        let read = Posterior::load(Some(&folder)).map(|posterior| posterior.free);
        std::fs::remove_dir_all(&folder).expect("it was there");
        assert_eq!(read.expect("it reads"), free);
    }
}
