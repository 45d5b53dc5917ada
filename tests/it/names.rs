//! Names in sentences: an entry of the catalogue may have any word of English as its id, and no sentence changes but where the id
//! itself stands.

use std::path::Path;

use plimsoll::document;

use crate::cli::{plimsoll_in, scratch, write};

/// Entries that a site uses, each copied under a word that sentences are full of, and under one of the same length that they
/// never have.
const RENAMED: [(&str, &str, [&str; 2]); 6] = [
    ("arrays", "generic-flash-file", ["storage", "storagq"]),
    ("media", "nvme", ["disk", "disq"]),
    ("raid", "raid-dp", ["disks", "disqs"]),
    ("networks", "eth-25g", ["line", "linq"]),
    ("servers", "present-16c", ["server", "servqr"]),
    ("processors", "genoa", ["database", "databasq"]),
];

const SITE: &str = r#"schema = 1
name = "Renamed"
[people]
developers = 400
[[people.site]]
name = "Lyon"
developers = 60
round_trip = "30 ms"
bandwidth = "200 Mb/s"
[data]
db_size = "300 GB"
depot_size = "30 TB"
[server]
model = "present-16c"
processor = "genoa"
release = "2024.2"
local_disks = 4
local_medium = "nvme"
[infrastructure]
protocols = ["local", "nfsv3"]
storage = ["generic-flash-file"]
storage_network = "eth-25g"
client_network = "eth-25g"
edges_max = 1
[protection]
backup = "snapshots"
rto = "1 h"
[[price]]
item = "present-16c"
price = "9000 EUR"
per = "unit"
[[today.volume]]
roles = ["db", "journal"]
array = "generic-flash-file"
[[today.volume]]
roles = ["depot", "checkpoint", "log"]
medium = "nvme"
"#;

/// The text of each command for the site, with the entries under one of the two sets of ids.
fn texts(which: usize) -> Vec<String> {
    let folder = scratch(["names-of-english", "names-of-none"][which]);
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    // An id inside quotes is an id, wherever it stands.
    let renamed = |text: String| {
        RENAMED
            .iter()
            .fold(text, |text, (_, id, words)| text.replace(&format!("{id:?}"), &format!("{:?}", words[which])))
    };
    for (kind, id, words) in RENAMED {
        let text = document::read_text(&models.join(kind).join(format!("{id}.toml")));
        let name = format!("models/{kind}/{}.toml", words[which]);
        write(&folder, &name, renamed(text.expect("a file of the catalogue")));
    }
    write(&folder, "site.toml", renamed(SITE.to_owned()));
    let commands: [&[&str]; 4] = [
        &["advise", "site.toml", "--full"],
        &["advise", "site.toml"],
        &["advise", "site.toml", "--from-today"],
        &["predict", "site.toml", "--layout", "nfs-all"],
    ];
    let run = |command: &&[&str]| {
        let ran = plimsoll_in(&folder, &[command, &["--models", "models"][..]].concat());
        assert!(ran.err.is_empty() && ran.code < 2, "{command:?}: {}", ran.err);
        ran.out
    };
    commands.iter().map(run).collect()
}

#[test]
fn an_id_that_is_a_word_of_english_renames_nothing_in_a_sentence() {
    let [english, none] = [0, 1].map(texts);
    for (english, none) in english.iter().zip(&none) {
        let back = RENAMED.iter().fold(none.clone(), |text, (.., words)| text.replace(words[1], words[0]));
        for (there, here) in back.lines().zip(english.lines()) {
            assert_eq!(here, there);
        }
        assert_eq!(*english, back);
        let name = "all-flash filer of any vendor";
        assert!(english.contains(name), "the entry has its name: {english}");
    }
}
