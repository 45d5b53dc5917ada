//! Scripts of `p4` and `p4d` commands: configurables, maps of depots, checkpoints.

use crate::catalog::Target;

use super::file::{ConfigFile, ConfigLine};
use super::fill::{self, Filled};
use super::quote;
use super::script::Shell;
use super::settings::of;
use super::sheet::Sheet;

/// The scripts of a server; those without a line are empty.
pub(super) fn files(sheet: &Sheet<'_>) -> [ConfigFile; 5] {
    let shell = Shell::of(sheet);
    let file = |stem: &str, title: &str, lines| ConfigFile {
        name: shell.file_name(stem),
        server: sheet.title.clone(),
        of_edge: sheet.server > 0,
        title: title.to_owned(),
        language: shell.language(),
        lines,
    };
    [
        file(
            "p4-configure",
            "configurables; run it against the commit server, logged in as a super user",
            configurables(sheet, shell),
        ),
        file(
            "p4-group-limits",
            "limits of groups; run it against the commit server, logged in as a super user",
            group_limits(sheet, shell),
        ),
        file(
            "p4-depots",
            "maps of depots to the volume for depots; run it against the commit server, logged in as a super user",
            depot_maps(sheet, shell),
        ),
        file(
            "p4-object-depots",
            "addresses of depots in object storage; run it against the commit server, logged in as a super user",
            object_depots(sheet, shell),
        ),
        file(
            "checkpoint",
            "makes a checkpoint where checkpoints belong; run it as the user that p4d runs as",
            checkpoint(sheet, shell),
        ),
    ]
}

/// The first line of a script of p4 commands: it never talks to a server that was not named.
fn port(shell: Shell) -> ConfigLine {
    ConfigLine::new(
        shell.ask("P4PORT", "the address of the commit server"),
        "Stops until the server is named.",
        &["P4HELP"],
    )
}

fn configurables(sheet: &Sheet<'_>, shell: Shell) -> Vec<ConfigLine> {
    let settings = fill::settings(sheet, Target::P4, None);
    if settings.is_empty() {
        return Vec::new();
    }
    let lines = settings.iter().map(|setting| configurable(shell, setting));
    std::iter::once(port(shell)).chain(lines).collect()
}

fn configurable(shell: Shell, setting: &Filled) -> ConfigLine {
    let text = match (&setting.ask, shell) {
        (None, _) => {
            let value = shell.quote(&format!("{}={}", setting.name, setting.value));
            shell.run(&format!("p4 configure set {value}"))
        }
        (Some(variable), Shell::Sh) => format!(
            "p4 configure set \"{}=${{{variable}:?set it to {}}}\"",
            quote::inside_double_quotes(&setting.name),
            quote::inside_double_quotes(&setting.value)
        ),
        (Some(variable), Shell::PowerShell) => {
            let name = quote::powershell_argument(&format!("{}=", setting.name));
            let command = format!("p4 configure set ({name} + $env:{variable})");
            format!("{}; {}", shell.ask(variable, &setting.value), shell.run(&command))
        }
    };
    of(setting, &text)
}

/// Puts limits into the form of each group that the administrator names.
fn group_limits(sheet: &Sheet<'_>, shell: Shell) -> Vec<ConfigLine> {
    let settings = fill::settings(sheet, Target::Groups, None);
    if settings.is_empty() {
        return Vec::new();
    }
    let groups = ConfigLine::new(
        shell.ask(
            "PLIMSOLL_GROUPS",
            "the names of the groups of ordinary users, with blanks between; p4 groups lists them",
        ),
        "Not the groups of administrators, builds and replicas. plimsoll workload LOG says which commands of a log such limits would have stopped.",
        &["P4HELP"],
    );
    let values = settings.iter().map(|setting| {
        let (name, value) = (field(setting), shell.quote(&setting.value));
        let text = match shell {
            Shell::Sh => format!("{name}={value}"),
            Shell::PowerShell => format!("${name} = {value}"),
        };
        of(setting, &text)
    });
    let edits = settings.iter().map(field).map(|name| match shell {
        Shell::Sh => format!(" -e \"s/^{name}:.*/{name}: ${name}/\""),
        Shell::PowerShell => format!(" -replace '^{name}:.*', ('{name}: ' + ${name})"),
    });
    let edits = edits.collect::<String>();
    let text = match shell {
        Shell::Sh => {
            format!("set -f; for group in $PLIMSOLL_GROUPS; do p4 group -o \"$group\" | sed{edits} | p4 group -i; done")
        }
        Shell::PowerShell => format!(
            "foreach ($group in ($env:PLIMSOLL_GROUPS -split '\\s+' | Where-Object {{ $_ }})) {{ (p4 group -o $group){edits} | {} }}",
            shell.run("p4 group -i")
        ),
    };
    let reason = "A group that is not there has no users, and p4 refuses it.";
    [port(shell), groups].into_iter().chain(values).chain([ConfigLine::new(text, reason, &["P4HELP"])]).collect()
}

/// The field of a form that a setting is: letters alone.
fn field(setting: &Filled) -> String {
    setting.name.chars().filter(char::is_ascii_alphabetic).collect()
}

/// Puts an absolute map into the form of each depot that the administrator names.
fn depot_maps(sheet: &Sheet<'_>, shell: Shell) -> Vec<ConfigLine> {
    let settings = fill::settings(sheet, Target::DepotMaps, None);
    let Some(setting) = settings.first() else {
        return Vec::new();
    };
    let depots = ConfigLine::new(
        shell.ask(
            "PLIMSOLL_DEPOTS",
            "the names of the depots whose files lie on this server, with blanks between; p4 depots lists them",
        ),
        "Depots of type remote keep their maps, which lead to another server.",
        &["P4CMD"],
    );
    // The name of a depot comes from the administrator, and the folder from the site: both are arguments.
    let text = match shell {
        Shell::Sh => format!(
            "set -f; for depot in $PLIMSOLL_DEPOTS; do {{ p4 depot -o \"$depot\" | grep -v '^Map:'; \
             printf 'Map:\\t\"%s/%s/...\"\\n' {} \"$depot\"; }} | p4 depot -i; done",
            shell.quote(&setting.value)
        ),
        Shell::PowerShell => {
            // A form takes forward slashes on Windows too.
            let folder = quote::powershell_argument(&setting.value.replace('\\', "/"));
            let form = format!(
                "((@(p4 depot -o $depot) -notmatch '^Map:') + ('Map: \"' + {folder} + '/' + $depot + '/...\"')) | \
                 {}",
                shell.run("p4 depot -i")
            );
            format!("foreach ($depot in ($env:PLIMSOLL_DEPOTS -split '\\s+' | Where-Object {{ $_ }})) {{ {form} }}")
        }
    };
    vec![port(shell), depots, of(setting, &text)]
}

/// Puts the address of a bucket into the form of each depot that the administrator names.
fn object_depots(sheet: &Sheet<'_>, shell: Shell) -> Vec<ConfigLine> {
    // Depots are those of the whole installation: set once, on the commit server.
    if sheet.server > 0 || !sheet.holds("depot:object", None) {
        return Vec::new();
    }
    let reason = "Each server of the installation has to reach the same bucket. Where the address has its keys, and not a \
                  role, keep it out of files and of the shell's history. New depots take it at once; move the archives of \
                  existing ones first, and run p4 verify.";
    let line = |text: String, reason: &str| ConfigLine::new(text, reason, &["P4OBJECT"]);
    let address = shell.ask(
        "PLIMSOLL_OBJECT_ADDRESS",
        "the Address field of the depots: s3, then region, bucket, and role or keys, as the provider needs them",
    );
    let depots = shell.ask(
        "PLIMSOLL_DEPOTS",
        "the names of the depots that lie in the bucket, with blanks between; p4 depots lists them",
    );
    let text = match shell {
        Shell::Sh => "set -f; for depot in $PLIMSOLL_DEPOTS; do { p4 depot -o \"$depot\" | grep -v '^Address:'; \
                      printf 'Address:\\t%s\\n' \"$PLIMSOLL_OBJECT_ADDRESS\"; } | p4 depot -i; done"
            .to_owned(),
        Shell::PowerShell => {
            let form = format!(
                "((@(p4 depot -o $depot) -notmatch '^Address:') + ('Address: ' + $env:PLIMSOLL_OBJECT_ADDRESS)) | {}",
                shell.run("p4 depot -i")
            );
            format!("foreach ($depot in ($env:PLIMSOLL_DEPOTS -split '\\s+' | Where-Object {{ $_ }})) {{ {form} }}")
        }
    };
    vec![
        port(shell),
        line(address, reason),
        line(depots, "Depots of type remote have no archives here."),
        line(text, "Archives of these depots are objects from now on; their Map fields are not used."),
    ]
}

/// One command, of which each setting is an argument.
fn checkpoint(sheet: &Sheet<'_>, shell: Shell) -> Vec<ConfigLine> {
    let settings = fill::settings(sheet, Target::Checkpoint, None);
    let Some(first) = settings.first() else {
        return Vec::new();
    };
    let arguments = settings.iter().flat_map(|s| [shell.quote(&s.name), shell.quote(&s.value)]);
    let command: Vec<String> = std::iter::once("p4d".to_owned()).chain(arguments).collect();
    vec![of(first, &shell.run(&command.join(" ")))]
}
