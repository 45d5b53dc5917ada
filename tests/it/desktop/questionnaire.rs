//! The questionnaire: what it shows as data, and what its controls do, asked by their names.

use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use plimsoll::desktop::command::{Command, Edit};
use plimsoll::desktop::inquiry::{Inquire, Part};
use plimsoll::desktop::panels::Panel;
use plimsoll::desktop::panels::questionnaire::{Control, Data, Picked, Question, next_open};
use plimsoll::desktop::state::State;
use plimsoll::site::{FIELDS, Kind, field as asked_by};

use super::painting::{Window, window};
use super::{engine, opened, perform_unanswered as perform};

const SIZE: [f32; 2] = [1280.0, 800.0];

fn data(state: &State) -> Data {
    Data::of(state, &engine())
}

fn at(mut state: State, part: Part) -> State {
    perform(&mut state, Command::Inquire(Inquire::Part(part)));
    state
}

fn question(state: &State, path: &str) -> Question {
    let mut state = state.clone();
    perform(&mut state, Command::Seek(path.to_owned()));
    let shown = data(&state).groups.into_iter().flat_map(|g| g.questions);
    let mut found = shown.filter(|q| q.path == path);
    found.next().unwrap_or_else(|| panic!("no question {path}"))
}

/// A question as a line: mark, path, control, answer or assumption.
fn line(q: &Question) -> String {
    let words = |words: &[plimsoll::desktop::panels::questionnaire::Word]| {
        let marked = words.iter().map(|w| match w.picked {
            Picked::No => w.spelled.clone(),
            Picked::Yes => format!("[{}]", w.spelled),
            Picked::Assumed => format!("({})", w.spelled),
            Picked::Wrong => format!("!{}!", w.spelled),
        });
        marked.collect::<Vec<_>>().join(" ")
    };
    // Menus and long lists are what the catalogue holds, which is not the questionnaire's business.
    let picked = |offered: &[plimsoll::desktop::panels::questionnaire::Word]| {
        let chosen = offered.iter().filter(|w| w.picked != Picked::No);
        let chosen: Vec<_> = chosen.cloned().collect();
        words(&chosen)
    };
    let control = match &q.control {
        Control::Line(hint) => format!("line, empty: {hint:?}"),
        Control::Weight { mark, share } => format!("mark {mark}, {share}"),
        Control::One(w) => format!("one of {}", words(w)),
        Control::Menu(w) => format!("menu {}", picked(w)),
        Control::Many(w, none) => {
            format!("list {}{}", picked(w), if *none { " or none" } else { "" })
        }
    };
    let answer = q.answer.as_ref().map_or_else(String::new, |_| format!("\n    answer {:?}", q.shown()));
    let assumed = q.assumed.as_ref().map_or_else(String::new, |a| {
        let range = a.range.as_deref().unwrap_or("no range");
        // How much it matters is the model's business.
        let matter = a.matter.as_ref().map_or("not tried", |_| "tried");
        format!("\n    assumed {}, {range}; {matter}\n    {}", a.value, a.origin)
    });
    let fault = q.fault.as_ref().map_or_else(String::new, |f| format!("\n    wrong: {} ({})", f.message, f.found));
    let limits = q.limits.as_deref().unwrap_or("no limits");
    format!("{}\n    {}; {}, {limits}\n    {control}{answer}{assumed}{fault}\n", q.path, q.asked, q.unit)
}

/// The questions in sight.
fn lines(state: &State) -> String {
    let mut out = Vec::new();
    for group in data(state).groups {
        out.push(format!("== {}: {}", group.title, group.about));
        out.extend(group.questions.iter().map(line));
    }
    out.join("\n")
}

#[test]
fn the_questions_are_shown_as_they_are() {
    let parts = Part::ALL.map(|part| lines(&at(opened(0), part)));
    insta::assert_snapshot!("questionnaire", parts.join("\n"));
}

#[test]
fn progress_is_counted_by_parts() {
    let data = data(&opened(0));
    let parts = data.parts.iter();
    let heads = parts.map(|p| format!("{:?}: {} of {}, {} wrong\n", p.part, p.answered, p.total, p.wrong));
    insta::assert_snapshot!("questionnaire_progress", heads.collect::<String>());
    let sum: usize = data.parts.iter().map(|p| p.answered).sum();
    assert_eq!(data.answered, sum);
}

#[test]
fn what_to_ask_first_is_unanswered_and_falls() {
    let mut state = opened(0);
    let asks = data(&state).ask_first;
    assert_eq!(asks.len(), 3);
    for ask in &asks {
        assert_eq!(state.reading.answer(&ask.path), None);
        assert!(ask.matter.is_large, "{ask:?}");
    }
    perform(&mut state, Command::answer(&asks[0].path, &asks[0].value));
    let next = data(&state).ask_first;
    assert!(next.iter().all(|ask| ask.path != asks[0].path));
}

#[test]
fn every_field_is_asked_for_once() {
    let mut state = opened(0);
    for table in ["equipment", "price", "today.volume"] {
        perform(&mut state, Command::edit(Edit::AddTable(table)));
    }
    let mut asked: Vec<String> = Vec::new();
    for part in Part::ALL {
        let groups = data(&at(state.clone(), part)).groups;
        let questions = groups.into_iter().flat_map(|g| g.questions);
        asked.extend(questions.map(|q| q.path.replace(".0.", ".")));
    }
    let fields = FIELDS.iter().filter(|f| f.kind != Kind::Tables && f.path != "schema");
    let expected: Vec<&str> = fields.map(|f| f.path).collect();
    asked.sort();
    let mut sorted = expected.clone();
    sorted.sort_unstable();
    assert_eq!(asked, sorted);
}

#[test]
fn a_wrong_answer_is_told_beside_its_field_and_in_its_part() {
    let mut state = opened(0);
    perform(&mut state, Command::answer("data.db_size", "3 apples"));
    let shown = question(&state, "data.db_size");
    assert_eq!(shown.shown(), "3 apples");
    assert!(shown.fault.is_some());
    let in_sight = data(&at(state.clone(), Part::Basics));
    assert_eq!(in_sight.faults_elsewhere, [], "it is told at its question");
    let hidden = data(&at(state.clone(), Part::Server));
    assert_eq!(hidden.faults_elsewhere, hidden.faults);
    assert_eq!(hidden.faults.len(), 1);
    let parts = data(&state).parts;
    let wrong = |part: Part| parts.iter().find(|p| p.part == part).map(|p| p.wrong);
    assert_eq!(wrong(Part::Basics), Some(1));
    assert_eq!(wrong(Part::Server), Some(0));
    perform(&mut state, Command::Undo);
    assert_eq!(question(&state, "data.db_size").fault, None);
}

#[test]
fn what_is_missing_is_told_at_its_question() {
    let mut state = opened(0);
    perform(&mut state, Command::answer("people.developers", ""));
    let fault = question(&state, "people.developers").fault;
    assert!(fault.is_some(), "{:?}", state.reading.problems);
    assert_eq!(question(&state, "people.at_work").fault, None);
    perform(&mut state, Command::Undo);
    perform(&mut state, Command::answer("people.site.0.developers", ""));
    let fault = question(&state, "people.site.0.developers").fault;
    assert!(fault.is_some(), "{:?}", state.reading.problems);
    assert_eq!(question(&state, "people.site.0.name").fault, None);
}

#[test]
fn an_answer_taken_back_is_assumed_again() {
    let mut state = opened(0);
    assert!(question(&state, "data.db_size").assumed.is_none());
    perform(&mut state, Command::edit(Edit::Answer { field: "data.db_size".to_owned(), value: None }));
    let assumed = question(&state, "data.db_size").assumed;
    assert!(assumed.is_some_and(|a| a.range.is_some() && a.matter.is_some()));
}

#[test]
fn words_are_picked_one_by_one() {
    let mut state = opened(0);
    let q = question(&state, "infrastructure.protocols");
    assert_eq!(q.toggled("fc").as_deref(), Some("fc, iscsi, local, nfsv3, nfsv4.1"));
    assert_eq!(q.toggled("nfsv3").as_deref(), Some("iscsi, local, nfsv4.1"));
    perform(&mut state, Command::answer("infrastructure.protocols", "nfsv3, tin-cans"));
    let q = question(&state, "infrastructure.protocols");
    assert_eq!(q.toggled("tin-cans").as_deref(), Some("nfsv3"), "what is wrong can be taken out");
    perform(&mut state, Command::answer("infrastructure.protocols", "nfsv3"));
    let q = question(&state, "infrastructure.protocols");
    assert_eq!(q.toggled("nfsv3"), None, "no protocol at all is no answer");
    perform(&mut state, Command::answer("infrastructure.caches", "arc"));
    let q = question(&state, "infrastructure.caches");
    assert_eq!(q.toggled("arc").as_deref(), Some(""), "no cache is an answer");
}

#[test]
fn the_search_finds_in_all_parts() {
    let mut state = opened(0);
    let found = |state: &State| -> Vec<String> {
        let groups = data(state).groups.into_iter();
        groups.flat_map(|g| g.questions).map(|q| q.path).collect()
    };
    perform(&mut state, Command::Inquire(Inquire::Search("Grow year".to_owned())));
    let paths = found(&state);
    assert!(paths.contains(&"data.db_growth".to_owned()), "{paths:?}");
    assert!(!paths.contains(&"server.ram".to_owned()), "{paths:?}");
    perform(&mut state, Command::Inquire(Inquire::Search("flashblade".to_owned())));
    assert!(found(&state).contains(&"infrastructure.storage".to_owned()));
    perform(&mut state, Command::Inquire(Inquire::Search("zebra".to_owned())));
    assert!(found(&state).is_empty());
}

#[test]
fn what_is_being_typed_stays_among_the_unanswered() {
    let mut state = at(opened(0), Part::Data);
    perform(&mut state, Command::Inquire(Inquire::OpenOnly(true)));
    let shown = |state: &State| data(state).groups[0].questions.len();
    let before = shown(&state);
    assert!(data(&state).groups[0].questions.iter().all(|q| q.answer.is_none()));
    perform(&mut state, Command::answer("data.file_size", "2"));
    perform(&mut state, Command::answer("data.file_size", "2 MB"));
    assert_eq!(shown(&state), before);
    perform(&mut state, Command::answer("data.workspace_size", "20 GB"));
    assert_eq!(shown(&state), before - 1, "the first is answered now");
}

#[test]
fn a_new_customer_begins_at_the_first_question() {
    let mut state = State::default();
    assert!(!state.is_begun(), "the start card is shown");
    perform(&mut state, Command::New);
    assert!(state.is_begun());
    assert_eq!(state.panel, Panel::Questionnaire);
    assert_eq!(state.inquiry.sought.as_deref(), Some("name"));
    let mut window = window(state, SIZE, false);
    window.run();
    let label = "What is the installation called?";
    let name = window.get_by_role_and_label(Role::TextInput, label);
    assert!(name.is_focused());
    // The name is selected: typing replaces it.
    name.type_text("Acme");
    window.run();
    window.key_press(egui::Key::Enter);
    window.run();
    let state = &window.state().state;
    assert_eq!(state.reading.answer("name").as_deref(), Some("Acme"));
}

#[test]
fn what_cannot_be_an_answer_stays_in_its_field() {
    let mut state = at(opened(0), Part::Data);
    let before = state.scenario.text.clone();
    let typed =
        |typed: &str| Command::Inquire(Inquire::Draft { path: "data.db_size".to_owned(), typed: typed.to_owned() });
    perform(&mut state, typed("3"));
    assert_eq!(state.scenario.text, before, "half a number is no answer");
    perform(&mut state, typed("3 apples"));
    perform(&mut state, Command::CommitDraft);
    assert_eq!(state.scenario.text, before);
    assert!(state.reading.problems.is_empty());
    let shown = question(&state, "data.db_size");
    assert_eq!(shown.draft.as_deref(), Some("3 apples"));
    let fault = shown.fault.expect("the reason is shown");
    assert_eq!(fault.help[0], "Not an answer yet: 180 GiB still counts.");
    // Undo takes back what is typed, not the answer before it.
    perform(&mut state, Command::Undo);
    assert_eq!(question(&state, "data.db_size").draft, None);
    perform(&mut state, typed("34 GiB"));
    // Saving finishes the field first.
    perform(&mut state, Command::Save);
    assert!(state.scenario.text.contains("db_size = \"34 GiB\""));
}

#[test]
fn a_bad_file_opens_at_its_first_error() {
    let good = opened(0).scenario.text.to_string();
    let opened = |text: String| {
        let mut state = State::default();
        let path = "/a/bad.toml".into();
        let text = Ok(text);
        perform(&mut state, Command::Opened { path, text });
        state
    };
    let state = opened(good.replace("db_size = \"180 GiB\"", "db_size = \"180 apples\""));
    assert_eq!(state.panel, Panel::Questionnaire);
    assert_eq!(state.inquiry.sought.as_deref(), Some("data.db_size"));
    let state = opened(good.replace("[data]", "[data"));
    let line = good.lines().position(|line| line == "[data]").map(|n| n + 1);
    assert!(state.inquiry.is_text);
    assert_eq!(state.inquiry.sought_line, line);
    let mut window = window(state, SIZE, false);
    window.run();
    let text = window.get_by_role_and_label(Role::MultilineTextInput, "Text of the site file");
    assert!(text.is_focused());
    // Tab leaves the text.
    window.key_press(egui::Key::Tab);
    window.run();
    let text = window.get_by_role_and_label(Role::MultilineTextInput, "Text of the site file");
    assert!(!text.is_focused());
    assert!(window.state().state.scenario.text.contains("[data\n"));
}

#[test]
fn offices_come_and_go() {
    let mut state = at(opened(0), Part::Basics);
    perform(&mut state, Command::edit(Edit::AddTable("people.site")));
    let titles: Vec<String> = data(&state).groups.into_iter().map(|g| g.title).collect();
    assert_eq!(titles, ["Basics", "Offices", "Montreal", "Office 1"]);
    // An office of which every answer was taken back can still be taken away.
    for key in ["name", "developers"] {
        perform(&mut state, Command::answer(&format!("people.site.1.{key}"), ""));
    }
    let last = data(&state).groups.pop();
    assert_eq!(last.map(|g| (g.title, g.table)), Some(("office 2".to_owned(), Some(("people.site", 1)))));
    perform(&mut state, Command::edit(Edit::RemoveTable("people.site", 1)));
    assert_eq!(data(&state).groups.len(), 3);
    assert!(state.reading.problems.is_empty());
}

fn paint(state: State) -> Harness<'static, Window> {
    let mut window = window(State { panel: Panel::Questionnaire, ..state }, SIZE, false);
    window.run();
    window
}

#[test]
fn what_is_typed_becomes_the_answer_with_enter() {
    let mut window = paint(at(opened(0), Part::Basics));
    let label = "How large is the database (all db.* files in P4ROOT)?";
    let find = |window: &Harness<'static, Window>| {
        let field = window.get_by_role_and_label(Role::TextInput, label);
        (field.accesskit_node().value(), field.is_focused())
    };
    window.get_by_role_and_label(Role::TextInput, label).focus();
    window.run();
    window.key_combination_modifiers(egui::Modifiers::COMMAND, &[egui::Key::A]);
    window.run();
    for (typed, stands) in [("3", "3"), ("4", "34"), (" ", "34 "), ("GiB", "34 GiB")] {
        window.get_by_role_and_label(Role::TextInput, label).type_text(typed);
        window.run();
        assert_eq!(find(&window), (Some(stands.to_owned()), true));
    }
    assert_eq!(window.state().state.past, [], "nothing is answered yet");
    window.key_press(egui::Key::Enter);
    window.run();
    let state = &window.state().state;
    assert!(state.scenario.text.contains("db_size = \"34 GiB\""));
    assert_eq!(state.past.len(), 1, "one step to undo");
    perform(&mut window.state_mut().state, Command::Undo);
    window.run();
    assert_eq!(find(&window).0.as_deref(), Some("180 GiB"));
}

#[test]
fn a_card_leads_to_its_question() {
    let mut window = paint(opened(0));
    let ask = data(&window.state().state).ask_first[0].clone();
    let label = ask.question.replace('`', "");
    window.get_by_role_and_label(Role::Button, &format!("Ask first: {label}")).click();
    window.run();
    let state = &window.state().state;
    assert_eq!(Some(state.inquiry.part), Part::of(&ask.path));
    assert_eq!(state.inquiry.sought, None);
    let field = window.get_by_role_and_label(Role::TextInput, &label);
    assert!(field.is_focused());
}

#[test]
fn a_word_is_picked_by_a_click_and_taken_back_by_another() {
    let mut state = opened(0);
    perform(&mut state, Command::Seek("infrastructure.dedicated".to_owned()));
    let mut window = paint(state);
    let label = "Is the storage used by Perforce alone?";
    let no = format!("no: {label}");
    window.get_by_role_and_label(Role::CheckBox, &no).click();
    window.run();
    assert!(window.state().state.scenario.text.contains("dedicated = false"));
    window.get_by_role_and_label(Role::Button, &format!("Clear: {label}")).click();
    window.run();
    assert!(!window.state().state.scenario.text.contains("dedicated ="));
}

#[test]
fn a_slider_weighs_a_criterion() {
    let mut window = paint(at(opened(0), Part::Criteria));
    let label = "How much does a low price matter, 0 to 10?";
    window.get_by_role_and_label(Role::Slider, label).focus();
    window.run();
    window.key_press(egui::Key::ArrowRight);
    window.run();
    assert!(window.state().state.scenario.text.contains("cost = 3\n"));
}

#[test]
fn the_text_itself_can_be_broken_and_mended() {
    let mut state = opened(0);
    let text = state.scenario.text.replace("[data]", "[data");
    perform(&mut state, Command::edit(Edit::Text(text.into())));
    assert!(data(&state).syntax.is_some());
    let mut window = paint(state);
    window.get_by_label("Show the text").click();
    window.run();
    assert!(window.state().state.inquiry.is_text);
    let text = window.get_by_role_and_label(Role::MultilineTextInput, "Text of the site file");
    assert!(text.accesskit_node().value().is_some_and(|t| t.contains("[data\n")));
    perform(&mut window.state_mut().state, Command::Undo);
    window.run();
    assert_eq!(data(&window.state().state).syntax, None);
}

#[test]
fn every_part_paints_with_hostile_names_at_any_size() {
    let mut state = opened(0);
    let name = "W".repeat(299);
    perform(&mut state, Command::answer("name", &name));
    perform(&mut state, Command::answer("people.site.0.name", &name));
    perform(&mut state, Command::edit(Edit::AddTable("price")));
    perform(&mut state, Command::answer("server.model", &name));
    state.panel = Panel::Questionnaire;
    let mut painted = window(state.clone(), [200.0, 100.0], true);
    for part in Part::ALL {
        painted.state_mut().state = at(state.clone(), part);
        for size in [[200.0, 100.0], [640.0, 400.0], [1280.0, 720.0]] {
            painted.set_size(size.into());
            painted.run();
        }
    }
    perform(&mut state, Command::Inquire(Inquire::Text(true)));
    window(state, [200.0, 100.0], true).run();
}

/// The name of what has the focus, as a screen reader reads it.
fn focused(window: &Harness<'static, Window>) -> Option<String> {
    let mut all = window.root().children_recursive();
    let node = all.find(egui_kittest::Node::is_focused)?;
    node.accesskit_node().label()
}

#[test]
fn tab_goes_from_open_question_to_open_question_and_never_loses_the_focus() {
    let mut state = opened(0);
    let few = "schema = 1\nname = \"Studio\"\n[people]\ndevelopers = 350\n";
    perform(&mut state, Command::edit(Edit::Text(few.into())));
    for table in ["people.site", "equipment", "price", "today.volume"] {
        perform(&mut state, Command::edit(Edit::AddTable(table)));
    }
    let is_open = |q: &Question| q.answer.is_none();
    let open: Vec<Question> = Part::ALL
        .into_iter()
        .flat_map(|part| data(&at(state.clone(), part)).groups)
        .flat_map(|group| group.questions)
        .filter(is_open)
        .collect();
    assert!(open.len() >= 88, "{}", open.len());
    perform(&mut state, Command::Seek(open[0].path.clone()));
    let mut window = paint(state);
    // All around, and back.
    let steps = (open.iter().cycle().take(open.len() + 1)).chain(open.iter().rev());
    for (step, question) in steps.enumerate() {
        let asked = question.asked.replace('`', "");
        let name = focused(&window);
        let is_here = name.as_ref().is_some_and(|name| name.ends_with(&asked));
        assert!(is_here, "step {step}: {}: {name:?}", question.path);
        if step < open.len() {
            window.key_press(egui::Key::Tab);
        } else {
            window.key_press_modifiers(egui::Modifiers::SHIFT, egui::Key::Tab);
        }
        // The frame that takes the key, and the one in which the next question has the focus.
        window.run_steps(2);
    }
    assert!(window.state().state.inquiry.draft.is_none());
}

#[test]
fn enter_takes_an_answer_and_goes_on_and_what_is_no_answer_keeps_the_focus() {
    let mut state = opened(0);
    perform(&mut state, Command::Seek("data.workspace_files".to_owned()));
    let mut window = paint(state);
    let label = "How many files does the largest workspace have?";
    let field = |window: &Harness<'static, Window>| {
        let field = window.get_by_role_and_label(Role::TextInput, label);
        field.is_focused()
    };
    for key in [egui::Key::Tab, egui::Key::Enter] {
        let input = window.get_by_role_and_label(Role::TextInput, label);
        input.type_text("many");
        window.run();
        window.key_press(key);
        window.run();
        assert!(field(&window), "{key:?}");
        assert!(window.state().state.inquiry.draft.is_some());
    }
    window.key_combination_modifiers(egui::Modifiers::COMMAND, &[egui::Key::A]);
    let input = window.get_by_role_and_label(Role::TextInput, label);
    input.type_text("7000000");
    window.run();
    window.key_press(egui::Key::Enter);
    window.run();
    let state = &window.state().state;
    assert!(state.scenario.text.contains("workspace_files = 7000000"), "{}", state.scenario.text);
    let next = next_open(state, &engine(), "data.workspace_files", false);
    let next = next.and_then(|path| asked_by(&path)).map(|field| field.question.replace('`', ""));
    assert!(next.is_some());
    assert_eq!(focused(&window), next);
}
