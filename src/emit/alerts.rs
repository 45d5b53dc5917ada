//! Rules of alerts for Prometheus: what is no usual peak of this server, by the names of p4prometheus and `node_exporter`.

use crate::catalog::Target;

use super::file::{ConfigFile, ConfigLine, Language};
use super::fill::{self, Filled};
use super::quote;
use super::settings::of;
use super::sheet::Sheet;

/// The rules of a server.
pub(super) fn file(sheet: &Sheet<'_>) -> ConfigFile {
    let rules = fill::settings(&sheet.with_mount_points(quote::promql), Target::Alerts, None);
    let head = ["groups:".to_owned(), format!("- name: plimsoll-{}", sheet.id), "  rules:".to_owned()];
    let reason = "A rule fires when its expression has held for as long as `for` says. Where one Prometheus has several servers, add \
                  serverid to each expression.";
    let head = head.map(|line| ConfigLine::new(line, reason, &["P4RUNBOOK"]));
    let none = rules.is_empty();
    // Roles that share a volume share its rule.
    let first = |(at, rule): &(usize, &Filled)| !rules[..*at].iter().any(|before| before.value == rule.value);
    let rules = rules.iter().enumerate().filter(first).flat_map(|(_, setting)| rule(setting));
    ConfigFile {
        name: "p4-alerts.yml".to_owned(),
        server: sheet.title.clone(),
        of_edge: sheet.server > 0,
        title: "alerts for Prometheus, for a file of rule_files in prometheus.yml; promtool check rules reads it"
            .to_owned(),
        language: Language::Yaml,
        lines: head.into_iter().filter(|_| !none).chain(rules).collect(),
    }
}

/// One rule, a line each.
fn rule(setting: &Filled) -> Vec<ConfigLine> {
    let Some(alert) = &setting.alert else {
        return Vec::new();
    };
    let letters = setting.name.chars().filter(char::is_ascii_alphanumeric);
    let lines = [
        format!("  - alert: {}", letters.collect::<String>()),
        format!("    expr: {}", quote::yaml(&setting.value)),
        format!("    for: {}", alert.lasts),
        "    labels:".to_owned(),
        format!("      severity: {}", alert.severity),
        "    annotations:".to_owned(),
        format!("      summary: {}", quote::yaml(&setting.reason)),
        format!("      first: {}", quote::yaml(&alert.first)),
    ];
    lines.iter().map(|line| of(setting, line)).collect()
}
