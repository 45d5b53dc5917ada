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
such as *600 /day × `people.developers`* is a factor and what it is multiplied with; `models/questions.toml` holds
these, their ranges and their sources. This page is made of it.

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
the file's `[today]` or `infrastructure.current_layout` describes, or where neither does for everything on one volume of the storage
that is named first; and where no rate has so many in flight there, the longer of one alone at its client's pace and of all of them
sharing the clients' network, or an office's line, at 80 % of it. It stays the same for every command, layout and change that is
looked at. How long one takes while `workload.concurrent_syncs` run at once is a time of each layout, beside that of the usual peak and
judged by the same target: at least as many times what one asks of the busiest resource that they share.

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

/// The page, as Markdown.
pub fn reference() -> String {
    const COLUMNS: &str =
        "| field | answer | limits | default | what to ask | why these limits | N13 |\n|---|---|---|---|---|---|---|\n";
    let mut page = HEAD.to_owned();
    let mut table = None;
    let mut intro = String::new();
    for field in FIELDS.iter() {
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
    let default = if field.required { "*required*".to_owned() } else { default_of(field) };
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

/// What stands in place of a missing answer: what is assumed, or the entry's own words with that in them.
fn default_of(field: &Field) -> String {
    let assumed = || default_text(field.path).unwrap_or_else(|| "none".to_owned());
    let Some(words) = field.default else {
        return assumed();
    };
    // Words and names in braces alternate.
    let parts = words.split(['{', '}']).enumerate();
    let parts = parts.map(|(n, part)| match part {
        words if n % 2 == 0 => words.to_owned(),
        "" => assumed(),
        other => {
            let text = default_text(other).unwrap_or_default();
            let value = text.split(" × ").next();
            value.unwrap_or_default().to_owned()
        }
    });
    parts.collect()
}
