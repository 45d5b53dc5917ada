//! `docs/site-file.md`: every field with its unit, limits, default and question, made from [`FIELDS`].

use super::assumptions::default_text;
use super::fields::{FIELDS, Field, Kind};
use super::vocabulary::Words;

const HEAD: &str = "\
# The site file

The planning questionnaire: a TOML file, UTF-8, at most 1 MiB. Begin with a copy of
`assets/examples/game-studio.toml`, or with people alone. A quantity is text
in quotes with its unit; GB, TB are powers of 1000 and GiB, TiB powers of 1024; Mb/s counts bits and MB/s bytes. Only
the fields marked *required* must be there. Each other one is assumed where it is missing, and the report says what was
assumed, why, in what range, and which missing answer matters most. `--set data.db_size='34 GiB'` overrides an answer;
an office is addressed by its number from 0, `--set people.site.0.developers=40`.

The numbers in column *N13* are the seven questions of NetApp's TR-4164, section 9, that a field answers. A default
such as *600 /day × `people.developers`* is a factor and what it is multiplied with; `models/assumptions.toml` and
`models/targets.toml` hold these, their ranges and their sources. This page is made from the program's own list (`plimsoll::site::FIELDS`).

An answer marked *not used yet* is read and checked, and the advice does not depend on it; the answer says which of
them were given.

`server.model` names a server of the catalogue (`plimsoll models servers`). What its file in `models/servers` says is the
default of `ram`, `cores`, `bits`, `local_disks` and `local_medium` of `[server]`, of `operating_systems`, and for a cloud
instance of `storage`. An answer that the model cannot have is an error. The operating systems and a word size above
the processor's never differ. On a machine of one's own, cores, memory and disks may: processors and memory can be bought
otherwise, and not all disks need be free. A cloud instance has the cores, the memory and the disks of its size, and no
more; fewer disks may be free.

`server.processor` and `server.clock` say what a core of a server of today does: the processor costs measured on the host of
2017, times its speed over theirs, which is the clock times the instructions per clock of the family. The catalogue's servers
of before 2020 have processor costs of their own, and these two answers change nothing of them.

Where no model is named, the usual server of the release's time that runs the operating system stands in for its processor
costs, its kind of disks, its word size, and the most memory and cores that such servers had. How many drives it has is
then open: each layout gets as many as it needs, and the advice says how many these are.

`workload.large_syncs_per_day` is what clients want of any system. Where it is not answered and `workload.concurrent_syncs` is, the
rate follows from that number and from how long one takes: `today.large_sync_time`, else what the model predicts for the system that
`[today]` or `infrastructure.current_layout` describes, else the longer of one alone at its client's pace and of all of them
sharing the clients' network, or an office's line, at 80 % of it. It stays the same for every layout and change that is looked at.

An editor with a TOML language server (Taplo, Even Better TOML) completes and checks the answers once it has the schema:
`plimsoll schema --save plimsoll.schema.json`, and as the first line of the site file `#:schema plimsoll.schema.json`.

`plimsoll workload LOG --site SITE.toml` fills in what a server log decides ([server-log.md](server-log.md)), `plimsoll init SITE.toml
--log LOG` does and asks for the rest, `plimsoll init SITE.toml --from FILE` takes what the server's own outputs say
([collect.md](collect.md)). All name the source of each such answer below `[measured]`.
An answer that somebody changes afterwards is his own again.

The least file that is accepted:

```toml
schema = 1
name = \"Studio North\"

[people]
developers = 400
```
";

/// Fields that a named server model answers, beside those that any model does.
const OF_THE_MODEL: [&str; 6] = [
    "server.ram",
    "server.cores",
    "server.processor",
    "server.local_disks",
    "infrastructure.operating_systems",
    "infrastructure.storage",
];

/// The page, as Markdown.
pub fn reference() -> String {
    const COLUMNS: &str = "| field | answer | limits | default | what to ask | why these limits | N13 |\n|---|---|---|---|---|---|---|\n";
    let mut page = HEAD.to_owned();
    let mut table = None;
    let mut intro = String::new();
    for field in FIELDS {
        let section = field.path.rsplit_once('.').map(|(section, _)| section);
        if section.is_none() && field.kind == Kind::Tables {
            // Its tables follow, under a heading of their own.
            intro = format!("{} {}.\n\n", field.question, field.why);
            continue;
        }
        if table != Some(section) {
            let title = match section {
                None => "At the top".to_owned(),
                Some(name @ ("people.site" | "today.volume" | "equipment" | "price")) => {
                    format!("`[[{name}]]`")
                }
                Some(name) => format!("`[{name}]`"),
            };
            let heading = format!("\n## {title}\n\n{intro}{COLUMNS}");
            page.push_str(&heading);
            intro.clear();
            table = Some(section);
        }
        page.push_str(&row(field));
    }
    page
}

fn row(field: &Field) -> String {
    let limits = field.limits.map_or_else(
        || words(field.kind),
        |(low, high)| {
            if low == high {
                low.to_owned()
            } else if field.kind == Kind::Text {
                format!("{low} to {high} characters")
            } else {
                format!("{low} to {high}")
            }
        },
    );
    let default = if field.required {
        "*required*".to_owned()
    } else {
        default_of(field)
    };
    format!(
        "| `{}` | {} | {limits} | {default} | {} | {} | {} |\n",
        field.key(),
        field.unit,
        field.question.replace('|', "\\|"),
        field.why.replace('|', "\\|"),
        field.n13.map_or(String::new(), |n| n.to_string()),
    )
}

fn words(kind: Kind) -> String {
    match kind {
        Kind::Word(Words::These(words)) | Kind::List(Words::These(words)) => words.join(", "),
        Kind::Word(_) | Kind::List(_) => "ids of the catalogue".to_owned(),
        _ => "–".to_owned(),
    }
}

fn default_of(field: &Field) -> String {
    match field.path {
        "people.site" => "one office".to_owned(),
        "infrastructure.protocols" => "what the storage speaks".to_owned(),
        "infrastructure.filesystems" => "any".to_owned(),
        "edge.local_medium" => "as in the server".to_owned(),
        "edge.drive_size" => "what the data need, up to 4 times the usual".to_owned(),
        "equipment.data_reduction" => "1".to_owned(),
        "equipment.protocols" => "what the kind serves".to_owned(),
        path if path.starts_with("equipment.") => "that of a usual system of the kind".to_owned(),
        "equipment" => "none".to_owned(),
        "price.unit" | "price.per" => "the usual one of the item".to_owned(),
        "price.size" => "any".to_owned(),
        "today.parallel_threads" => "10 from release 2014.1 on, else 1".to_owned(),
        "today.checkpoint_time" => "what is predicted".to_owned(),
        "today.large_sync_time" => {
            "what is predicted for the system that is there, else what client and network take"
                .to_owned()
        }
        "workload.concurrent_syncs" => "what follows from `large_syncs_per_day`".to_owned(),
        "workload.large_syncs_peak_to_mean" => "`peak_to_mean`".to_owned(),
        "today.checkpoint_size"
        | "today.pull_queue"
        | "today.signs"
        | "today.submit_time"
        | "today.sync_time"
        | "today.browse_time" => "unknown".to_owned(),
        "workload.tools" => "unknown; `polling_share` counts them all".to_owned(),
        "today.volume" => "those of `current_layout`".to_owned(),
        "today.volume.array" => "that of `current_layout`, else the server's own drives".to_owned(),
        "today.volume.mount_options" => "those that the catalogue recommends".to_owned(),
        path if path.starts_with("today.volume.") => {
            "that of `current_layout`, else what the site's other answers say".to_owned()
        }
        path @ ("targets.submit" | "targets.sync" | "targets.large_sync") => {
            let text = |path| default_text(path).unwrap_or_default();
            let share = text("targets.large_sync");
            let share = share.split(" × ").next().unwrap_or_default();
            let patience = match path {
                "targets.large_sync" => text("targets.sync"),
                path => text(path),
            };
            let patience = patience.split(" × ").next().unwrap_or_default();
            format!(
                "{patience} + its content at {share} × `workload.client_rate`, over a line at the pace of the line"
            )
        }
        "server.model" => "the usual one of the release's time".to_owned(),
        "server.local_medium" | "server.bits" => "the model's".to_owned(),
        "server.clock" => "the named model's, else the typical one of the processor".to_owned(),
        "server.tcp_window" => {
            let of = |path| default_text(path).unwrap_or_default();
            let (now, before) = (of("server.tcp_window"), of("rate.tcp_window_fixed"));
            format!("{now}; {before} before release 2014.2")
        }
        path => {
            let text = default_text(path).unwrap_or_else(|| "none".to_owned());
            if OF_THE_MODEL.contains(&path) {
                format!("the named model's, else {text}")
            } else {
                text
            }
        }
    }
}
