//! The texts to begin with: an empty site and the examples.

use crate::document::edit;
use crate::site;

/// A site with the required answers alone.
pub const EMPTY: &str = "schema = 1\nname = \"New site\"\n\n[people]\ndevelopers = 100\n";

/// The example sites: title and text.
pub const EXAMPLES: [(&str, &str); 5] = {
    let all = site::EXAMPLES;
    [(all[0].1, all[0].2), (all[1].1, all[1].2), (all[2].1, all[2].2), (all[3].1, all[3].2), (all[4].1, all[4].2)]
};

/// The text of an example.
pub fn text(title: &str) -> Option<&'static str> {
    let mut examples = EXAMPLES.iter();
    examples.find(|(name, _)| *name == title).map(|(_, text)| *text)
}

/// The name of the site in a text.
pub fn name_in(text: &str) -> String {
    let values = edit::values(text);
    let name = values.iter().find(|(path, ..)| path == "name");
    name.map_or_else(String::new, |(_, spelling, _)| spelling.trim_matches('"').to_owned())
}

/// Lines of a new table of a list: its required answers.
pub fn table(path: &str, text: &str) -> &'static [(&'static str, &'static str)] {
    /// Names of new offices: no two may be called the same.
    const OFFICES: [[(&str, &str); 2]; 6] = [
        [("name", "\"Office 1\""), ("developers", "10")],
        [("name", "\"Office 2\""), ("developers", "10")],
        [("name", "\"Office 3\""), ("developers", "10")],
        [("name", "\"Office 4\""), ("developers", "10")],
        [("name", "\"Office 5\""), ("developers", "10")],
        [("name", "\"Office 6\""), ("developers", "10")],
    ];
    match path {
        "people.site" => {
            let free = |office: &&[(&str, &str); 2]| !text.contains(office[0].1);
            OFFICES.iter().find(free).unwrap_or(&OFFICES[0])
        }
        "equipment" => &[("name", "\"my array\""), ("kind", "\"all-flash block and file\""), ("usable", "\"100 TB\"")],
        "today.volume" => &[("roles", "[\"db\"]")],
        "price" => &[("item", "\"nvme\""), ("price", "\"1000 EUR\""), ("per", "\"disk\"")],
        _ => &[],
    }
}
