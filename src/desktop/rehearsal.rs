//! What the rehearsal panel asks for before it starts: folders, load, times, and the rest of the command line's options.
//!
//! Plain state of a view: nothing of it is saved with the site, and none of it can be undone.

use std::path::PathBuf;

use crate::rehearse::{By, Wanted};

/// The rehearsal.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rehearsal {
    /// What is to be done.
    pub form: Form,
    /// Whether it was told to stop and still removes its files.
    pub is_stopping: bool,
}

/// A rehearsal as it is typed.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    /// Whether db, journal and depot have folders of their own; else the first is for all.
    pub is_apart: bool,
    /// The folders of db, journal and depot.
    pub folders: [String; 3],
    /// Multiple of the site's peak load.
    pub load: f64,
    /// Size of the data over the site's; nothing is the largest that fits.
    pub scale: String,
    /// Time that is measured.
    pub time: String,
    /// Time before that.
    pub warm_up: String,
    /// Most bytes on all volumes together.
    pub max_bytes: String,
    /// Space that stays free on each volume; nothing is the usual.
    pub keep_free: String,
    /// A round trip to add; nothing is none.
    pub round_trip: String,
    /// How tables are locked.
    pub locks: By,
    /// `db.peeking` in place of the site's answer.
    pub peeking: Option<u8>,
    /// Whether it may run beside a Perforce server.
    pub is_beside_server: bool,
}

/// The least and greatest multiple of the load that the panel offers.
pub const LOAD: std::ops::RangeInclusive<f64> = 0.1..=4.0;

/// The folders' names.
pub const ROLES: [&str; 3] = ["Database", "Journal", "Depot"];

impl Default for Form {
    fn default() -> Self {
        let Wanted {
            load,
            time,
            warm_up,
            max_bytes,
            locks,
            ..
        } = Wanted::default();
        Self {
            is_apart: false,
            folders: Default::default(),
            load,
            scale: String::new(),
            time,
            warm_up,
            max_bytes,
            keep_free: String::new(),
            round_trip: String::new(),
            locks,
            peeking: None,
            is_beside_server: false,
        }
    }
}

/// What is typed, if anything is.
fn stated(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

impl Form {
    /// The folders of db, journal and depot; none while one is missing.
    pub fn at(&self) -> Option<[PathBuf; 3]> {
        let folder = |role: usize| {
            let typed = &self.folders[if self.is_apart { role } else { 0 }];
            stated(typed).map(PathBuf::from)
        };
        Some([folder(0)?, folder(1)?, folder(2)?])
    }

    /// The same in the words of the command line, or what it would say.
    pub fn wanted(&self) -> Result<Wanted, String> {
        let scale = stated(&self.scale).map(|text| {
            let number = text.replace(',', ".").parse::<f64>();
            number.map_err(|_not_a_number| {
                format!("a scale of {text}: write a number above 0 and up to 1")
            })
        });
        Ok(Wanted {
            load: self.load,
            scale: scale.transpose()?,
            time: self.time.trim().to_owned(),
            warm_up: self.warm_up.trim().to_owned(),
            max_bytes: self.max_bytes.trim().to_owned(),
            keep_free: stated(&self.keep_free).map(str::to_owned),
            locks: self.locks,
            round_trip: stated(&self.round_trip).map(str::to_owned),
            ..Wanted::default()
        })
    }

    /// What differs from the site's answers, as `--set` takes it.
    pub fn set(&self) -> Vec<String> {
        let peeking = self.peeking.iter();
        peeking.map(|n| format!("server.peeking={n}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_folder_is_for_all_until_they_are_apart() {
        let mut form = Form::default();
        assert_eq!(form.at(), None);
        form.folders[0] = " /mnt/a ".to_owned();
        assert_eq!(form.at(), Some([(); 3].map(|()| PathBuf::from("/mnt/a"))));
        form.is_apart = true;
        assert_eq!(form.at(), None);
    }

    #[test]
    fn what_is_not_typed_is_what_the_command_line_takes() {
        let mut form = Form::default();
        assert_eq!(form.wanted(), Ok(Wanted::default()));
        form.scale = "0,5".to_owned();
        assert_eq!(form.wanted().map(|wanted| wanted.scale), Ok(Some(0.5)));
        form.scale = "half".to_owned();
        assert!(form.wanted().is_err());
        form.peeking = Some(2);
        assert_eq!(form.set(), ["server.peeking=2"]);
    }
}
