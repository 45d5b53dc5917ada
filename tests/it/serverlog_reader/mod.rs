//! The reader of server logs: what each trap of real logs becomes, and that no text can break it.

pub(crate) mod fixtures;
mod journal;
mod mutation;
mod packed;
mod pieces;
mod structured;
mod traps;

use plimsoll::serverlog::Reader;
use plimsoll::serverlog::record::{Command, Damage, Event, Sink, TableUse, Understood};

/// Everything that was read.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Taken {
    pub(crate) commands: Vec<Command>,
    pub(crate) events: Vec<Event>,
    pub(crate) damage: Vec<Damage>,
    pub(crate) understood: Understood,
}

impl Sink for Taken {
    fn command(&mut self, command: &Command) {
        self.commands.push(command.clone());
    }
    fn event(&mut self, event: &Event) {
        self.events.push(event.clone());
    }
    fn damage(&mut self, damage: &Damage) {
        self.damage.push(damage.clone());
    }
}

impl Taken {
    /// The only command of that function.
    fn one(&self, function: &str) -> &Command {
        let mut found = self.commands.iter().filter(|c| c.function == function);
        let first = found.next().unwrap_or_else(|| panic!("no {function} in {self:#?}"));
        assert!(found.next().is_none(), "two {function} in {self:#?}");
        first
    }
}

/// A table of a command.
fn table<'c>(command: &'c Command, name: &str) -> &'c TableUse {
    let mut found = command.tables.iter().filter(|table| table.name == name);
    let first = found.next().unwrap_or_else(|| panic!("no {name} in {command:#?}"));
    assert!(found.next().is_none(), "two {name} in {command:#?}");
    first
}

/// Reads texts as files that follow one another.
fn read_files<'t>(files: impl IntoIterator<Item = &'t [u8]>) -> Taken {
    let mut taken = Taken::default();
    let mut reader = Reader::new();
    for (file, mut text) in files.into_iter().enumerate() {
        reader.read(file, &mut text, &mut taken).unwrap();
    }
    reader.finish(&mut taken);
    taken.understood = reader.understood();
    assert_eq!(reader.live(), 0);
    taken
}

/// Reads one text.
fn read(text: &str) -> Taken {
    read_files([text.as_bytes()])
}
