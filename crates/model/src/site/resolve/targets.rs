//! What is bearable where no target is stated: patience, and the content at a share of the pace that a client can take.

use super::large_syncs::smaller_than_e07;
use crate::site::answer::Answer;
use crate::site::assumptions::{End, Factor};
use crate::site::fields::Kind;
use crate::site::section::Section;
use crate::site::sections::{Data, Target, Targets, Workload};
use crate::units::{Bytes, Fraction, Seconds};

/// The content that a kind of work moves \[B\].
pub(in crate::site) fn bytes_moved(target: Target, workload: &Workload, data: &Data) -> f64 {
    let of_files = |files: &Answer<f64>| files.value * data.file_size.value.get();
    match target {
        Target::Submit => of_files(&workload.files_per_submit),
        Target::Sync => of_files(&workload.files_per_sync),
        // Of files smaller than those of E07, whose pace is bearable, as many as there.
        Target::LargeSync => workload.concurrent_sync_size.value.get() * smaller_than_e07(data.file_size.value),
        Target::Edit | Target::Browse => 0.0,
    }
}

pub(in crate::site) fn targets(section: &Section<'_>, workload: &Workload, data: &Data) -> Targets {
    let share = Factor::of::<Seconds>("targets.content.share", Kind::Time).value;
    let large = Factor::of::<Seconds>("targets.large_sync", Kind::Time).value;
    let trips = Factor::of::<Seconds>("targets.distance.round_trips", Kind::Time).value;
    let pace = &workload.client_rate.value;
    let content = |target| bytes_moved(target, workload, data);
    let patient = |path, target| {
        let bytes = content(target);
        section.derived(
            path,
            |patience| patience + bytes / (share * pace.get()),
            |patience| {
                let (bytes, share) = (Bytes::new(bytes), Fraction::new(share));
                format!("{patience} + {bytes} at {share} of {pace}")
            },
        )
    };
    let submit = patient("targets.submit", Target::Submit);
    let edit = section.answer("targets.edit");
    let browse = section.answer("targets.browse");
    let sync = patient("targets.sync", Target::Sync);
    let sync_rate = section.stated("targets.sync_rate");
    // A rate that is wanted of large syncs leaves no question about their time.
    let large_sync = section.stated("targets.large_sync").or_else(|| {
        let bytes = content(Target::LargeSync);
        // It is at least as bearable as an ordinary sync.
        let patience = Factor::of::<Seconds>("targets.sync", Kind::Time);
        let derive = || {
            section.derive(
                "targets.large_sync",
                |share, _: End| patience.value + bytes / (share * pace.get()),
                |_| {
                    let (bytes, share) = (Bytes::new(bytes), Fraction::new(large));
                    format!("{} + {bytes} at {share} of {pace}", patience.shown)
                },
            )
        };
        sync_rate.is_none().then(derive)
    });
    section.reader.finish();
    Targets {
        submit,
        edit,
        browse,
        sync,
        large_sync,
        sync_rate,
        content_share: share,
        large_share: large,
        round_trips: trips,
    }
}
