//! Providers of clouds: the storage services that an instance of each reaches.

use super::entry::Entry;
use super::record::or;
use crate::document::{Readable, Reader};

/// What a volume on a provider's block service is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// General purpose: what is appended, or read in large pieces.
    General,
    /// Provisioned operations and a short latency: the database.
    Provisioned,
    /// Bytes in sequence for little money: archives.
    Throughput,
}

impl Readable for Class {
    fn read(reader: &Reader<'_>, key: &'static str) -> Option<Self> {
        Some(match reader.word(key, &["general", "provisioned", "throughput"])?.value {
            "general" => Self::General,
            "provisioned" => Self::Provisioned,
            _ => Self::Throughput,
        })
    }
}

record! {
    /// A provider of instances.
    struct Provider: Entry {
        /// Its block service: an array whose volumes a server sees as disks of its own.
        block: String,
        /// Its file services and buckets: arrays.
        services: Vec<String> = or(Vec::new()),
        /// The medium of general-purpose volumes.
        general: String,
        /// The medium of volumes with provisioned operations.
        provisioned: String,
        /// The medium of cheap volumes for large transfers in sequence, where it has any.
        throughput: Option<String>,
    }
}

impl Provider {
    /// The arrays that an instance of it reaches, its block service first.
    pub fn storage(&self) -> Vec<String> {
        let services = self.services.iter();
        std::iter::once(&self.block).chain(services).cloned().collect()
    }

    /// The medium of volumes of a class; none where it has no such volumes.
    pub fn medium(&self, class: Class) -> Option<&String> {
        match class {
            Class::General => Some(&self.general),
            Class::Provisioned => Some(&self.provisioned),
            Class::Throughput => self.throughput.as_ref(),
        }
    }
}
