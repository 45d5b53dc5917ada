//! `plimsoll init`: the questionnaire, driven through a pipe.

use plimsoll::advisor::{OFFICES, OPENING};
use plimsoll::document::read_text;
use plimsoll::site::{EXAMPLES, FIELDS, Kind, field, how_to_find};

use crate::cli::{Ran, plimsoll_fed, plimsoll_in, scratch, write};
use crate::cli_workload::day;

fn fed(folder: &std::path::Path, arguments: &[&str], lines: &[&str]) -> Ran {
    let input: String = lines.iter().flat_map(|line| [*line, "\n"]).collect();
    plimsoll_fed(folder, &[&["init"], arguments].concat(), &input)
}

fn text(folder: &std::path::Path) -> String {
    read_text(&folder.join("site.toml")).unwrap()
}

/// What was asked, by field, in its order.
fn asked(ran: &Ran) -> Vec<String> {
    let lines = ran.err.lines().filter_map(|line| line.trim().strip_prefix('('));
    let fields = lines.filter_map(|line| Some(line.split_once(": ")?.0.to_owned()));
    fields.filter(|path| field(path).is_some()).collect()
}

#[test]
fn what_is_known_in_the_room_comes_first_then_what_moves_the_advice_and_the_advice_is_the_end() {
    let folder = scratch("init");
    // One wrong answer, what is known in the room passed, one question about a question, an answer, an assumption.
    let lines = ["Studio North", "400 people", "400", "", "", "", "", "", "", "", "?", "7", ""];
    let ran = fed(&folder, &["--questions", "9"], &lines);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let mut questions = asked(&ran);
    // What is refused is asked again, by its own number.
    assert_eq!(ran.err.matches("\n2. ").count(), 2, "{}", ran.err);
    questions.dedup();
    let in_the_room = OPENING.map(|path| match path {
        OFFICES => "people.site.0.name",
        path => path,
    });
    assert_eq!(questions[..9], in_the_room);
    assert_eq!(questions.len(), 11, "{questions:?}");
    let questions = &questions[7..];
    assert!(ran.err.contains("must be a number"), "{}", ran.err);
    assert!(ran.err.contains("; with ") && ran.err.contains(" instead of "), "{}", ran.err);
    assert!(ran.err.contains(how_to_find(&questions[2]).unwrap()), "{}", ran.err);
    let written = text(&folder);
    assert!(written.contains("name = \"Studio North\""), "{written}");
    assert!(written.contains("developers = 400"), "{written}");
    let [.., answered, assumed] = questions else {
        panic!("{questions:?}");
    };
    let key = |path: &str| field(path).unwrap().key();
    assert!(!written.contains(key(assumed)), "{written}");
    assert!(written.contains(&format!("{} = 7", key(answered))), "{written}");
    assert!(ran.out.contains("Carries today's 400 people"), "{}", ran.out);
    let advised = plimsoll_in(&folder, &["advise", "site.toml"]);
    assert_eq!(ran.out, advised.out);

    // It goes on where it ended: what is answered is not asked again, and comments stay.
    write(&folder, "site.toml", format!("# ours\n{written}"));
    let ran = fed(&folder, &["--questions", "1"], &["."]);
    assert_eq!(asked(&ran).len(), 1, "{}", ran.err);
    assert!(!asked(&ran).contains(answered), "{}", ran.err);
    assert_eq!(text(&folder), format!("# ours\n{written}"));
}

#[test]
fn offices_are_asked_one_by_one_and_an_office_without_people_is_not_written() {
    let folder = scratch("init-offices");
    let first = ["Studio", "100", "", "Lyon", "", "400", "40", "30 ms", "", "Pune", "."];
    let ran = fed(&folder, &[], &first);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let offices: Vec<String> = asked(&ran).into_iter().filter(|path| path.starts_with(OFFICES)).collect();
    let keys = [
        "0.name",
        "0.developers",
        // An empty answer and one beyond all people are refused.
        "0.developers",
        "0.developers",
        "0.round_trip",
        "0.bandwidth",
        "1.name",
        "1.developers",
    ];
    assert_eq!(offices, keys.map(|key| format!("{OFFICES}.{key}")));
    assert!(ran.err.contains("must be answered"), "{}", ran.err);
    let written = text(&folder);
    let office = "[[people.site]]\nname = \"Lyon\"\ndevelopers = 40\nround_trip = \"30 ms\"\n";
    assert!(written.contains(office) && !written.contains("Pune"), "{written}");
    // The next session asks for a further office, not for that one again.
    let ran = fed(&folder, &["--questions", "2"], &["", ""]);
    assert_eq!(asked(&ran)[..2], ["server.model", "people.site.1.name"]);
    assert_eq!(text(&folder), written);
}

#[test]
fn equipment_of_a_site_is_in_the_advice_and_in_the_questions() {
    let folder = scratch("init-equipment");
    let own = "schema = 1\nname = \"Own\"\n[people]\ndevelopers = 200\n[infrastructure]\nprotocols = [\"local\", \"nfsv3\"]\n\
               [[equipment]]\nname = \"My Filer\"\nkind = \"all-flash file\"\nusable = \"50 TB\"\n";
    write(&folder, "site.toml", own);
    let ran = fed(&folder, &[], &["."]);
    assert_eq!(text(&folder), own);
    let advised = plimsoll_in(&folder, &["advise", "site.toml"]);
    assert!(advised.out.contains("My Filer over NFS"), "{}", advised.out);
    assert_eq!(ran.out, advised.out);
}

#[test]
fn an_input_that_ends_early_leaves_what_there_is() {
    let folder = scratch("init-ends");
    let ran = fed(&folder, &[], &["Studio"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("Still open: people.developers"), "{}", ran.out);
    assert!(text(&folder).contains("name = \"Studio\""));
    let ran = fed(&folder, &["--questions", "0"], &["20"]);
    assert_eq!(asked(&ran), ["people.developers"]);
    assert!(ran.out.contains("Carries today's 20 people"), "{}", ran.out);

    let empty = scratch("init-empty");
    let ran = fed(&empty, &[], &[]);
    assert!(ran.out.contains("Still open: name, people.developers"), "{}", ran.out);
    assert!(text(&empty).contains("schema = 1"));
}

#[test]
fn a_foreign_file_stays_and_a_wrong_one_is_reported() {
    let folder = scratch("init-foreign");
    for foreign in ["[package]\nname = \"x\"\n", "no TOML at all", "schema = 1\nid = \"nvme\"\n"] {
        write(&folder, "site.toml", foreign);
        let ran = fed(&folder, &[], &["Studio", "20"]);
        assert!(ran.refused().contains("is not a site file"), "{}", ran.err);
        assert_eq!(text(&folder), foreign);
    }
    let ran = fed(&folder, &["--force", "--questions", "0"], &["Studio", "20"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(text(&folder).contains("developers = 20"));
    let wrong = "schema = 1\nname = \"Studio\"\n[data]\ndb_sise = 4\n";
    write(&folder, "site.toml", wrong);
    let ran = fed(&folder, &[], &["20"]);
    assert!(ran.refused().contains("did you mean"), "{}", ran.err);
    assert_eq!(text(&folder), wrong);
}

#[test]
fn an_example_is_copied_by_name() {
    let folder = scratch("init-from");
    for (name, _, example) in EXAMPLES {
        let ran = fed(&folder, &["--from", name, "--force"], &[]);
        assert!(ran.done().contains("plimsoll advise site.toml"));
        assert_eq!(text(&folder), example);
    }
    let ran = fed(&folder, &["--from", "game-studio"], &[]);
    assert!(ran.refused().contains("--force"), "{}", ran.err);
    let ran = fed(&folder, &["--from", "game-stduio"], &[]);
    assert!(ran.refused().contains("did you mean \"game-studio\""), "{}", ran.err);
}

#[test]
fn every_text_about_finding_an_answer_is_a_sentence() {
    for field in FIELDS.iter() {
        if let Some(text) = how_to_find(field.path) {
            assert!(text.ends_with('.') && text.len() > 10, "{}", field.path);
        }
    }
    // What people do not know by heart has one.
    for section in ["people", "data", "workload"] {
        for field in FIELDS.iter().filter(|f| f.path.starts_with(section)) {
            let is_known = field.key() == "name" || field.kind == Kind::Tables;
            assert!(is_known || how_to_find(field.path).is_some(), "{}", field.path);
        }
    }
}

#[test]
fn a_place_that_takes_no_file_is_reported_before_the_first_question() {
    let folder = scratch("init-nowhere");
    write(&folder, "taken", "a file");
    let ran = fed(&folder, &["taken/site.toml"], &["Studio", "100"]);
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(ran.err.contains("taken/site.toml"), "{}", ran.err);
    assert_eq!(asked(&ran), [""; 0]);
}

#[test]
fn a_log_answers_first_and_only_the_rest_is_asked() {
    let folder = scratch("init-log");
    write(&folder, "log", day());
    // Without a terminal nothing is asked.
    let ran = fed(&folder, &["--log", "log"], &[]);
    let said = ran.done();
    assert!(said.starts_with("Written to site.toml: "), "{said}");
    assert!(said.contains("Read from log\n  Server log: 2024/03/05, 00:00:00"), "{said}");
    assert!(said.contains("Measured, log of 2024/03/05"), "{said}");
    assert!(said.contains("Left open\n"), "{said}");
    assert!(said.ends_with("Next: plimsoll advise site.toml\n"), "{said}");
    assert_eq!(asked(&ran), [""; 0]);
    let written = text(&folder);
    assert!(written.contains("submits_per_day = { value = \"16 /day\", from = \"log of 2024/03/05\""), "{written}");
    let explained = plimsoll_in(&folder, &["advise", "site.toml", "--format", "json"]).json();
    assert!(!explained["assumptions"].to_string().contains("workload.submits_per_day"));

    // With questions, those that the log answers are not asked.
    let other = scratch("init-log-asks");
    write(&other, "log", day());
    let ran = fed(&other, &["--log", "log", "--questions", "3"], &["Studio", "", "", ""]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let questions = asked(&ran);
    assert_eq!(questions[0], "name", "{questions:?}");
    assert_eq!(questions.len(), 4, "{questions:?}");
    for answered in ["people.developers", "workload.commands_per_day", "workload.submits_per_day"] {
        assert!(!questions.iter().any(|q| q == answered), "{questions:?}");
    }
    assert!(ran.err.contains("Measured, log of 2024/03/05"), "{}", ran.err);
}

#[test]
fn a_log_stands_above_an_example_and_beside_outputs_and_below_what_is_stated() {
    let folder = scratch("init-log-beside");
    write(&folder, "log", day());
    write(&folder, "pasted.txt", "Server version: P4D/LINUX26X86_64/2023.1/1 (x)\n");
    let ran = fed(&folder, &["--from", "game-studio", "--log", "log"], &[]);
    assert!(ran.done().contains("Replaced workload.submits_per_day = \"2200 /day\""), "{}", ran.out);
    assert!(text(&folder).contains("name = \"Game studio"));

    write(&folder, "site.toml", "schema = 1\nname = \"Ours\"\n[workload]\nsubmits_per_day = \"500 /day\"\n");
    let ran = fed(&folder, &["--from", "pasted.txt", "--log", "log"], &[]);
    let said = ran.done();
    assert!(
        said.contains("Kept workload.submits_per_day = \"500 /day\", which the file has; the log says \"16 /day\"."),
        "{said}"
    );
    assert!(said.contains("Read from pasted.txt") && said.contains("Read from log"), "{said}");
    let written = text(&folder);
    assert!(
        written.contains("release = \"2023.1\"") && written.contains("submits_per_day = \"500 /day\""),
        "{written}"
    );

    let json = fed(&folder, &["--log", "log", "--format", "json"], &[]).json();
    assert_eq!(json["log"]["files"][0], "log");
    let mut rows = json["log"]["answers"].as_array().unwrap().iter();
    assert!(rows.any(|row| row["field"] == "workload.submits_per_day" && row["became"] == "kept"));
    assert_eq!(json["open"], serde_json::json!([]));

    let ran = fed(&folder, &["--log", "log", "site.toml"], &[]);
    assert!(ran.refused().contains("stands before --log"), "{}", ran.err);
    write(&folder, "none", "hello\n");
    let before = text(&folder);
    let ran = fed(&folder, &["--log", "none"], &[]);
    assert!(ran.refused().contains("no line begins a command"), "{}", ran.err);
    assert_eq!(text(&folder), before);
}

/// A provider alone is an answer to where it runs; "no" is no office.
#[test]
fn a_provider_is_its_storage_and_no_is_no_office() {
    for (provider, storage) in [("aws", "cloud-block"), ("Azure", "azure-disks")] {
        let folder = scratch(&format!("init_{provider}"));
        let mut lines = vec!["Cloud Studio", "40"];
        // The storage is known then.
        let known = ["name", "people.developers", "infrastructure.storage"];
        let open = OPENING.into_iter().filter(|path| !known.contains(path));
        lines.extend(open.map(|path| match path {
            "server.model" => provider,
            OFFICES => "no",
            _ => "",
        }));
        let ran = fed(&folder, &["--questions", "6", "--no-confirm"], &lines);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let text = text(&folder);
        assert!(text.contains(storage), "{text}");
        assert!(!text.contains("[[people.site]]"), "{text}");
    }
}
