//! Stable pseudonyms for what is personal in a log: users, workspaces, addresses, paths.
//!
//! A pseudonym is a keyed hash, so that no table of names is kept, the same name has the same pseudonym in every answer
//! about the log, and nobody without the key can try names against it.
//!
//! # References
//!
//! - J.-P. Aumasson, D. J. Bernstein, "`SipHash`: a fast short-input PRF", INDOCRYPT 2012: the hash, with two and four rounds.

use super::record::{Command, Event, TableUse, What};
use super::vocabulary;

/// Makes pseudonyms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pseudonyms {
    key: (u64, u64),
}

/// What says nothing of a person and stays.
const PLAIN: [&str; 8] = ["", "unknown", "background", "127.0.0.1", "::1", "others", "(none)", "(no command)"];

/// Lock files that p4d has for itself.
pub(super) const OWN_LOCKS: [&str; 6] = [
    "meta/db",
    "meta/commit",
    "replica/pull",
    "storageup/storageup",
    "storageup/storagemasterup",
    "storageup/storageupmaster",
];

impl Pseudonyms {
    /// With a key: texts of the same key have the same pseudonyms.
    pub fn new(key: &[u8]) -> Self {
        let half = |salt: u64| siphash((salt, !salt), key);
        Self { key: (half(1), half(2)) }
    }

    fn name(&self, kind: &str, name: &str) -> String {
        const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
        if PLAIN.contains(&name) {
            return name.to_owned();
        }
        let hash = siphash(self.key, name.as_bytes());
        let letters = (0..8).map(|i| char::from(LETTERS[(hash >> (5 * i) & 31) as usize]));
        format!("{kind}-{}", letters.collect::<String>())
    }

    /// A user.
    pub fn user(&self, name: &str) -> String {
        self.name("user", name)
    }

    /// A group.
    pub fn group(&self, name: &str) -> String {
        self.name("group", name)
    }

    /// A client workspace.
    pub fn client(&self, name: &str) -> String {
        self.name("client", name)
    }

    /// An address, or a pair of them.
    pub fn address(&self, name: &str) -> String {
        let parts: Vec<String> = name.split('/').map(|p| self.name("address", p)).collect();
        parts.join("/")
    }

    /// A program: known products keep their name, with what is known behind it; any other program may be named after anybody.
    pub fn program(&self, name: &str) -> String {
        let parts: Vec<&str> = name.split('/').collect();
        if !vocabulary::is_program(parts[0]) {
            return self.name("program", name);
        }
        let known = parts.into_iter().filter(|part| vocabulary::is_program(part));
        known.collect::<Vec<_>>().join("/")
    }

    /// A function: p4d logs whatever command was asked for.
    pub fn function(&self, name: &str) -> String {
        if vocabulary::is_function(name) {
            return name.to_owned();
        }
        self.name("command", name)
    }

    /// Arguments: their pattern, depots by pseudonyms.
    pub fn arguments(&self, text: &str) -> String {
        let shape = super::analysis::pattern(text);
        let words = shape.split(' ').map(|word| match word.strip_prefix("//") {
            Some(path) if !path.starts_with('…') => {
                let (depot, rest) = path.split_once('/').unwrap_or((path, ""));
                format!("//{}/{rest}", self.name("depot", depot))
            }
            _ => word.to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// A trigger.
    pub fn trigger(&self, name: &str) -> String {
        self.name("trigger", name)
    }

    /// A table or lock file: only those of p4d's own keep their name, and `clients/NAME` names a workspace.
    pub fn table(&self, name: &str) -> String {
        match name.split_once('/') {
            Some((class @ ("clients" | "clientEntity"), client)) => {
                format!("{class}/{}", self.client(client))
            }
            Some(("change", number)) if number.bytes().all(|b| b.is_ascii_digit()) => name.to_owned(),
            Some((class @ ("label" | "stream"), named)) => {
                format!("{class}/{}", self.name(class, named))
            }
            Some(_) if !OWN_LOCKS.contains(&name) => format!("lock/{}", self.name("lock", name)),
            _ => name.to_owned(),
        }
    }

    /// A record without names of people and places.
    #[must_use]
    pub fn command(&self, command: &Command) -> Command {
        let tables = command.tables.iter().map(|table| TableUse { name: self.table(&table.name), ..table.clone() });
        let mut triggers = command.triggers.clone();
        for trigger in &mut triggers {
            trigger.name = self.trigger(&trigger.name);
        }
        Command {
            user: self.user(&command.user),
            client: self.client(&command.client),
            address: self.address(&command.address),
            program: self.program(&command.program),
            function: self.function(&command.function),
            arguments: self.arguments(&command.arguments),
            tables: tables.collect(),
            triggers,
            ..command.clone()
        }
    }

    /// An event; the text of an error may name anything, and goes.
    #[must_use]
    pub fn event(&self, event: &Event) -> Event {
        let what = match &event.what {
            What::Error { pid, operation, .. } => What::Error {
                pid: *pid,
                operation: operation.as_ref().map(|name| self.function(name)),
                text: String::new(),
            },
            what => what.clone(),
        };
        Event { what, ..event.clone() }
    }
}

/// `SipHash-2-4`.
pub(super) fn siphash(key: (u64, u64), bytes: &[u8]) -> u64 {
    let mut v = [
        key.0 ^ 0x736f_6d65_7073_6575,
        key.1 ^ 0x646f_7261_6e64_6f6d,
        key.0 ^ 0x6c79_6765_6e65_7261,
        key.1 ^ 0x7465_6462_7974_6573,
    ];
    let word = |v: &mut [u64; 4], m: u64| {
        v[3] ^= m;
        rounds(v, 2);
        v[0] ^= m;
    };
    let chunks = bytes.chunks_exact(8);
    let rest = chunks.remainder();
    for chunk in chunks {
        let m = chunk.iter().rev().fold(0, |m, b| m << 8 | u64::from(*b));
        word(&mut v, m);
    }
    let last = rest.iter().rev().fold(0, |m, b| m << 8 | u64::from(*b));
    word(&mut v, last | (bytes.len() as u64) << 56);
    v[2] ^= 0xff;
    rounds(&mut v, 4);
    v[0] ^ v[1] ^ v[2] ^ v[3]
}

fn rounds(v: &mut [u64; 4], count: usize) {
    for _ in 0..count {
        v[0] = v[0].wrapping_add(v[1]);
        v[1] = v[1].rotate_left(13) ^ v[0];
        v[0] = v[0].rotate_left(32);
        v[2] = v[2].wrapping_add(v[3]);
        v[3] = v[3].rotate_left(16) ^ v[2];
        v[0] = v[0].wrapping_add(v[3]);
        v[3] = v[3].rotate_left(21) ^ v[0];
        v[2] = v[2].wrapping_add(v[1]);
        v[1] = v[1].rotate_left(17) ^ v[2];
        v[2] = v[2].rotate_left(32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_the_paper() {
        // Appendix A: key 00 … 0f, message 00 … 0e.
        let message: Vec<u8> = (0..15).collect();
        let key = (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908);
        assert_eq!(siphash(key, &message), 0xa129_ca61_49be_45e5);
    }

    #[test]
    fn names_are_stable_and_gone() {
        let pseudonyms = Pseudonyms::new(b"log");
        assert_eq!(pseudonyms.user("ann"), pseudonyms.user("ann"));
        assert_ne!(pseudonyms.user("ann"), pseudonyms.user("bob"));
        assert_ne!(pseudonyms.user("ann"), Pseudonyms::new(b"another").user("ann"));
        let shown = [
            pseudonyms.address("10.1.2.3/10.9.8.7"),
            pseudonyms.arguments("-m1 //secret/main/... bob -ubob -Cbob-ws --bob=secret"),
            pseudonyms.table("clients/bob-ws"),
            pseudonyms.table("bob/bob"),
            pseudonyms.program("C:\\Users\\bob\\x.exe"),
            pseudonyms.program("p4 bob/2024.2"),
            pseudonyms.program("p4/2024.2/bob"),
            pseudonyms.function("user-bob"),
        ]
        .join(" ");
        assert!(!["10.", "secret", "bob"].iter().any(|w| shown.contains(w)), "{shown}");
        assert_eq!(pseudonyms.table("meta/commit"), "meta/commit");
    }
}
