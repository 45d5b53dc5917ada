//! What to do where an answer on protection is missed, in sentences.

use super::{Availability, Broken, Recovered, Standby, Subject, Timed, Verdict};
use crate::advisor::stated_times::is_live;
use crate::site::Backup;
use crate::system::{Job, Mount};
use crate::units::Seconds;

impl Subject<'_> {
    pub(super) fn advice(
        &self,
        durations: &[Timed],
        disasters: &[Recovered],
        availability: Option<Availability>,
        standby: Option<Standby>,
    ) -> Vec<String> {
        let asked = &self.site.protection;
        let mut advice = Vec::new();
        let broken = Broken::of(disasters, availability);
        let (late, loses) = (broken.rto, broken.rpo);
        // One that does not come back is late, which says more.
        let is_down = broken.availability && availability.is_some();
        if let Some(Standby { switch, lag }) = standby.filter(|_| late || is_down || loses) {
            let mut why = Vec::new();
            if late {
                why.push(format!("people must work again within {}", asked.rto.value));
            }
            if loses {
                why.push(format!("at most {} of work may be lost", asked.rpo.value));
            }
            if is_down {
                why.push(format!("the server must answer {} of the time", asked.availability.value));
            }
            let enough = switch <= asked.rto.value.get() && lag <= asked.rpo.value.get();
            let but = if enough { "" } else { "; even that is not enough" };
            advice.push(format!(
                "Run a standby with journal, database and depots on a machine and store of its own: {}. It takes over in about {} and loses about {}{but}",
                why.join(", and "),
                Seconds::new(switch).estimated(),
                Seconds::new(lag).estimated(),
            ));
        }
        let journal_local = self.deployment.mount("journal").is_some_and(Mount::is_local);
        let lost_journal = disasters.first().is_some_and(|d| d.rpo == Verdict::Missed) && journal_local;
        if lost_journal && standby.is_some() {
            advice.push(
                "Without a standby, copy the journal off the server as it is written, or put it on a store that outlives the server".to_owned(),
            );
        }
        let gone = disasters.iter().any(|d| d.time.is_none());
        if gone {
            advice.push(match asked.backup.value {
                Backup::Snapshots => "Copy snapshots or checkpoints to another store: those on the same disks are lost with them".to_owned(),
                _ => "Back up checkpoints, journals and depots to another store: without a backup a lost store is lost for good".to_owned(),
            });
        }
        let of = |job| durations.iter().find(|t| t.duration.job == job);
        let misses = |job| {
            let window = of(job).and_then(|t| t.window);
            window.is_some_and(|w| w.verdict == Verdict::Missed)
        };
        if misses(Job::CheckpointOffline) {
            let parallel = of(Job::CheckpointParallel).filter(|_| !misses(Job::CheckpointParallel));
            advice.push(match parallel {
                _ if is_live(self.site) && standby.is_some() => {
                    "Make checkpoints of an offline copy in place of the live database: they take as long, but nobody waits for them"
                        .to_owned()
                }
                Some(p) => format!(
                    "Make parallel checkpoints (-jcpm): {} in place of a night that is too short",
                    Seconds::new(p.duration.time.value).estimated()
                ),
                None if standby.is_some() => {
                    "Make checkpoints on a standby: no night is long enough for one on this server"
                        .to_owned()
                }
                None => "Make checkpoints on the standby less often than each night: none is long enough for one"
                    .to_owned(),
            });
        }
        advice
    }
}
