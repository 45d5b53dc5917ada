//! Settings are data: a folder overrides them, and what does not hold together is refused.

use plimsoll::document::read_text;

use crate::cli::{example, plimsoll, scratch, write};

const HEAD: &str = "schema = 1\nid = \"mine\"\ntitle = \"Mine\"\nsummary = \"Mine.\"\ntarget = \"sysctl\"\n";

fn setting(body: &str) -> String {
    format!("{HEAD}[[setting]]\nname = \"vm.mine\"\nwhy = \"Because.\"\n{body}\n")
}

const VALUE: &str = "value = { text = \"1\", origin = \"assumed\", note = \"mine\" }";

#[test]
fn a_folder_adds_settings() {
    let folder = scratch("settings-mine");
    let body = "amount = { of = \"memory\", times = 0.5, unit = \"G\", text = \"{}g\", origin = \"assumed\", note = \"half\" }\n\
                when = [\"linux\", \"commit\"]";
    write(&folder, "models/settings/mine.toml", setting(body));
    let (models, out) = (folder.join("models"), folder.join("out"));
    let arguments = [
        "advise",
        &example("game-studio"),
        "--set",
        "infrastructure.proxies=false",
        "--models",
        models.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ];
    plimsoll(&arguments).done();
    let text = |server: &str| read_text(&out.join(format!("config/{server}/90-p4d.conf"))).unwrap();
    assert!(
        text("commit-server")
            .contains("\n# Because. Assumed: half. [settings/mine, assumed, server.ram]\nvm.mine = 128g\n")
    );
    assert!(!text("edge-1-montreal").contains("vm.mine"));
}

#[test]
fn what_does_not_hold_together_is_refused() {
    let broken = [
        ("", "exactly one of"),
        (&format!("{VALUE}\namount = {{ of = \"memory\" }}"), "exactly one of"),
        ("value = { text = \"{nobody}\", origin = \"assumed\", note = \"x\" }", "which is unknown"),
        (&format!("{VALUE}\nwhen = [\"sometimes\"]"), "is no condition"),
        (&format!("{VALUE}\nwhen = [\"db:tape\"]"), "is no condition"),
        (&format!("{VALUE}\nwhen = [\"array:none\"]"), "which does not exist"),
        (&format!("{VALUE}\nsince = \"yesterday\""), "release"),
        ("value = { text = \"1\" }", "origin"),
        ("amount = { of = \"weather\", text = \"{}\", origin = \"assumed\", note = \"x\" }", "cannot be"),
        (
            "amount = { of = \"memory\", least = 2, most = 1, text = \"{}\", origin = \"assumed\", note = \"x\" }",
            "more than",
        ),
        ("ask = { variable = \"x; reboot\", text = \"x\", origin = \"assumed\", note = \"x\" }", "capitals"),
    ];
    for (i, (body, message)) in broken.into_iter().enumerate() {
        let folder = scratch(&format!("settings-broken-{i}"));
        write(&folder, "settings/mine.toml", setting(body));
        let ran = plimsoll(&["models", "settings", "--models", folder.to_str().unwrap()]);
        assert!(ran.refused().contains(message), "{body}: {}", ran.err);
    }
}

#[test]
fn settings_are_listed_and_explained() {
    let listed = plimsoll(&["models", "settings"]);
    assert!(listed.done().contains("linux-memory"), "{}", listed.out);
    let explained = plimsoll(&["explain", "settings/linux-memory"]);
    assert!(explained.done().contains("E07-standard"), "{}", explained.out);
    assert!(plimsoll(&["explain", "MOD006"]).done().contains("setting"));
}
