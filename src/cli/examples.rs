//! The examples below each command's help.

pub(super) const ALL: &str = "\
Begin with:
  plimsoll init site.toml              asks for a site's answers and ends with the advice
  plimsoll init --from game-studio     writes an example to site.toml
  plimsoll advise site.toml            the advice on one screen\
";

pub(super) const ADVISE: &str = "\
Examples:
  plimsoll advise site.toml
  plimsoll advise site.toml --set people.developers=500 --full
  plimsoll advise site.toml --out handover
  plimsoll advise site.toml --from-today    what to change first in the system that is there

Exit code 1: a target is missed, also a stated RTO, RPO, availability or night window; memory is short; nothing fits.\
";

pub(super) const INIT: &str = "\
Examples:
  plimsoll init site.toml
  plimsoll init site.toml --questions 20
  plimsoll init mine.toml --from game-studio
  plimsoll init mine.toml --from plimsoll-20261126.txt    what the script of `plimsoll collect` wrote\
";

pub(super) const COLLECT: &str = "\
Examples:
  plimsoll collect --save collect.sh
  plimsoll collect --powershell --save collect.ps1
Then, on the server: sh collect.sh --anonymise\
";

pub(super) const REPORT: &str = "\
Examples:
  plimsoll report site.toml -o report.html
  plimsoll report site.toml -o report.md\
";

pub(super) const PREDICT: &str = "\
Examples:
  plimsoll predict site.toml --layout split
  plimsoll predict site.toml --compare split,nfs-all\
";

pub(super) const SIMULATE: &str = "\
Examples:
  plimsoll simulate site.toml --layout split
  plimsoll simulate site.toml --scenario working-day\
";

pub(super) const SOLVE: &str = "\
Examples:
  plimsoll solve network.toml
  plimsoll solve network.toml --compare exact,amva\
";

pub(super) const WORKLOAD: &str = "\
Examples:
  plimsoll workload log
  plimsoll workload log.1.gz log --full
  plimsoll workload log --site site.toml
  plimsoll workload log --html workload.html    under pseudonyms\
";

pub(super) const CALIBRATE: &str = "\
Examples:
  plimsoll calibrate
  plimsoll calibrate --add measured.toml --as medium=nvme\
";

pub(super) const BENCH: &str = "\
Examples:
  plimsoll bench /hxdepots --dry-run
  plimsoll bench /hxdepots --quick --save measured.toml\
";

pub(super) const REHEARSE: &str = "\
Examples:
  plimsoll rehearse site.toml --at /hxmetadata --dry-run
  plimsoll rehearse site.toml --at db=/hxmetadata,journal=/hxlogs,depot=/hxdepots --load 0.5
  plimsoll rehearse site.toml --compare /mnt/filer --compare /mnt/flash\
";

pub(super) const MODELS: &str = "\
Examples:
  plimsoll models
  plimsoll models arrays\
";

pub(super) const EXPLAIN: &str = "\
Examples:
  plimsoll explain data.db_size
  plimsoll explain NET001\
";

pub(super) const SCHEMA: &str = "\
Examples:
  plimsoll schema --save plimsoll.schema.json
Then put this line first in the site file: #:schema plimsoll.schema.json
  plimsoll schema advise\
";

pub(super) const DESKTOP: &str = "\
Examples:
  plimsoll desktop site.toml\
";
