//! What a deployment's own findings say to leave: such a deployment is compared with those without them.

use super::criteria::amount;
use super::edges::{EdgesEnd, hours_saved};
use super::headroom::Headroom;
use super::load_limit::LoadLimit;
use super::ranking::{Solved, wants_memory, with_memory};
use super::recovery::Recovery;
use super::rules::{self, Facts, Finding, Remedy, Severity};
use super::score::{self, Scores, Timed};
use super::search::Search;
use super::unstated::Unstated;
use super::why_not::why_not;
use crate::system::capacity;
use crate::units::{Bytes, about_count};

/// Whether another deployment of the space that is searched may do without a finding.
fn is_remedied(finding: &Finding) -> bool {
    !finding.is_of_today && finding.remedy.is_some_and(Remedy::is_candidate)
}

impl Search<'_> {
    /// What the rules find in a deployment that another layout may do without.
    pub(super) fn findings(&self, solved: &Solved) -> Vec<Finding> {
        let Self { site, catalog, calibration, load, sizes, .. } = *self;
        let deployment = &solved.candidate.deployment;
        let prediction = &solved.prediction;
        let facts = Facts {
            site,
            catalog,
            calibration,
            deployment,
            prediction,
            sizes,
            memory: &capacity::memory(site, calibration, deployment, load, prediction.db_hit),
            headroom: &Headroom {
                factor: 1.0,
                limit: LoadLimit::NotFound,
                bottleneck: None,
                knee: 1.0,
                reached_in: None,
                memory: None,
                capacity: Vec::new(),
            },
            largest_commit: solved.largest_commit,
            influences: &[],
            recovery: &Recovery::default(),
            is_there: false,
            unstated: &Unstated::default(),
            overload: None,
        };
        let rules = rules::RULES.iter().filter(|rule| rule.remedy.is_some_and(Remedy::is_candidate));
        let found = rules.flat_map(|rule| rule.findings(&facts));
        found.filter(is_remedied).collect()
    }

    /// What a deployment is worth beside the best times: its findings of weight count against it.
    pub(super) fn scores(&self, solved: &Solved, best: &[(Timed, f64)]) -> Scores {
        let deployment = &solved.candidate.deployment;
        let mut scores = score::scores(self.site, self.catalog, deployment, &solved.times, best);
        let mut findings = self.findings(solved);
        scores.findings = heeded(&findings);
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        scores.heeded = findings.iter().map(|finding| finding.rule).collect();
        scores.heeded.dedup();
        scores.total *= scores.findings;
        scores
    }

    /// Writes into each finding of the chosen deployment that another of the compared ones does without why it stays
    /// nevertheless; what was weighed and brings too little, while nothing is missed, is left out.
    pub(super) fn explain(&self, findings: &mut Vec<Finding>, ranked: &[(Solved, Scores)], end: Option<&EdgesEnd>) {
        let Some((chosen, rivals)) = ranked.split_first() else {
            return;
        };
        // An edge that was weighed and is not worth its place is nothing to do where an office has all that is wanted.
        let placed = |(rival, _): &&(Solved, Scores)| {
            let offices = &rival.candidate.deployment.offices;
            rival.safety.full.is_none() && !offices.is_empty()
        };
        let weighed = match end {
            Some(end) => matches!(end, EdgesEnd::NotWorth { .. }),
            None => rivals.iter().any(|rival| placed(&rival)),
        };
        let wants_edge = |finding: &Finding| finding.remedy == Some(Remedy::Edge);
        findings.retain(|finding| !weighed || !wants_edge(finding) || finding.severity > Severity::Note);
        let mut with_edges = rivals.iter().filter(placed);
        let of_rival = with_edges.find_map(|(rival, _)| Some(rival.idle?.in_words("")));
        // The office where the next edge would help most says it for the others.
        for finding in findings.iter_mut().filter(|finding| wants_edge(finding)) {
            finding.stays = end.and_then(EdgesEnd::why).or_else(|| of_rival.clone());
        }
        self.explain_memory(findings, &chosen.0);
        self.explain_recovery(findings, chosen, rivals);
        let open = |finding: &&mut Finding| {
            let weighs = finding.severity > Severity::Note;
            weighs && finding.stays.is_none() && is_remedied(finding)
        };
        for finding in findings.iter_mut().filter(open) {
            let without = |(rival, _): &&(Solved, Scores)| {
                let has = |found: &Finding| found.rule == finding.rule && found.severity >= finding.severity;
                !self.findings(rival).iter().any(has)
            };
            let holds = |(rival, _): &&(Solved, Scores)| rival.safety.full.is_none();
            // One that cannot hold the data says so where no other does without.
            let best = rivals.iter().filter(holds).find(without);
            let best = best.or_else(|| rivals.iter().find(without));
            finding.stays = Some(match best {
                Some((rival, scores)) => format!(
                    "the best layout without this problem, \"{}\", is not recommended: {}",
                    rival.candidate.deployment.title,
                    why_not(self.site, Some(chosen), rival, scores)
                ),
                None => "no layout that can be built here and carries the load avoids it".to_owned(),
            });
        }
    }

    /// Writes into findings about memory what more of it would bring.
    fn explain_memory(&self, findings: &mut [Finding], chosen: &Solved) {
        let mut about = findings
            .iter_mut()
            .filter(|finding| finding.severity > Severity::Note && finding.remedy == Some(Remedy::Memory));
        let Some(first) = about.next() else {
            return;
        };
        let why = match with_memory(self, chosen) {
            Some(with) => format!(
                "more memory meets the same targets: with {} people wait {} hours a year less",
                Bytes::new(with.candidate.deployment.memory),
                about_count(hours_saved(self.site, &with.prediction, &chosen.prediction).max(0.0))
            ),
            None if !wants_memory(self, chosen) => {
                "more memory does not help: the whole database is found in memory as it is".to_owned()
            }
            None => "no more memory fits into the server".to_owned(),
        };
        for finding in [first].into_iter().chain(about) {
            finding.stays = Some(why.clone());
        }
    }

    /// Writes into findings about a stated RTO, RPO or availability that is missed which layout would keep it.
    fn explain_recovery(&self, findings: &mut [Finding], chosen: &(Solved, Scores), rivals: &[(Solved, Scores)]) {
        let about = findings.iter_mut().filter(|finding| finding.remedy == Some(Remedy::Recovery));
        for finding in about {
            let keeps =
                |(rival, _): &&(Solved, Scores)| rival.safety.full.is_none() && rival.unkept.promises.is_empty();
            finding.stays = Some(match rivals.iter().find(keeps) {
                Some((rival, scores)) => format!(
                    "\"{}\" keeps it and is not recommended: {}",
                    rival.candidate.deployment.title,
                    why_not(self.site, Some(chosen), rival, scores)
                ),
                None => "no layout that can be built here keeps it, with a standby or without".to_owned(),
            });
        }
    }
}

/// The factor of a score by findings.
fn heeded(findings: &[Finding]) -> f64 {
    let each = findings.iter().map(|finding| match finding.severity {
        Severity::Critical => amount("finding", "critical"),
        Severity::Warning => amount("finding", "warning"),
        Severity::Note => amount("finding", "note"),
    });
    each.product()
}
