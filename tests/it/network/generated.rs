//! Random network files with every feature of the format, for properties of the solvers.
#![expect(clippy::let_underscore_must_use, reason = "writing to a text cannot fail")]

use std::fmt::Write as _;

/// A small generator, so that the networks are the same everywhere.
pub(super) struct Draw(pub(super) u64);

impl Draw {
    pub(super) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        (self.unit() * bound as f64) as usize
    }

    fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

/// Seconds, as a distribution of any shape.
fn time(draw: &mut Draw, mean: f64) -> String {
    match draw.below(6) {
        0 => format!("{{ mean = \"{mean} s\", scv = {} }}", 4.0 * draw.unit()),
        1 => format!("{{ shape = \"constant\", mean = \"{mean} s\" }}"),
        2 => format!("{{ shape = \"uniform\", low = \"0 s\", high = \"{} s\" }}", 2.0 * mean),
        3 => format!("{{ shape = \"erlang\", mean = \"{mean} s\", phases = 3 }}"),
        _ => format!("\"{mean} s\""),
    }
}

fn station(draw: &mut Draw, text: &mut String, idx: usize) {
    let kinds = ["ps", "fcfs", "lcfs-pr", "priority", "preemptive-priority", "delay"];
    let kind = draw.one_of(&kinds);
    let _ = writeln!(text, "[station.s{idx}]\nkind = \"{kind}\"");
    if kind == "delay" {
        return;
    }
    match draw.below(3) {
        0 => {
            let _ = writeln!(text, "servers = {}", 1 + draw.below(4));
        }
        1 => {
            let speeds: Vec<String> = (0..=draw.below(4)).map(|_| format!("{}", 0.6 + draw.unit())).collect();
            let _ = writeln!(text, "speeds = [{}]", speeds.join(", "));
        }
        _ => {}
    }
}

/// Steps; what is held already is not asked for again, and a lock only after those before it.
fn steps(draw: &mut Draw, stations: usize, depth: usize, locks: usize, pool: bool) -> String {
    let count = 1 + draw.below(2);
    let steps: Vec<String> = (0..count).map(|_| step(draw, stations, depth, locks, pool)).collect();
    format!("[{}]", steps.join(", "))
}

fn step(draw: &mut Draw, stations: usize, depth: usize, locks: usize, pool: bool) -> String {
    let choice = if depth == 0 { 0 } else { draw.below(14) };
    let inner = |draw: &mut Draw| steps(draw, stations, depth - 1, locks, pool);
    match choice {
        4 if locks < 2 => {
            let lock = locks + draw.below(2 - locks);
            let mode = draw.one_of(&["shared", "exclusive"]);
            let body = steps(draw, stations, depth - 1, lock + 1, pool);
            format!("{{ {mode} = \"l{lock}\", steps = {body} }}")
        }
        // A pool is asked for before all locks.
        5 if pool && locks == 0 => {
            let count = 1 + draw.below(2);
            let body = steps(draw, stations, depth - 1, locks, false);
            format!("{{ pool = \"p\", count = {count}, steps = {body} }}")
        }
        6 | 7 => {
            let branches: Vec<String> = (0..2 + draw.below(2)).map(|_| inner(draw)).collect();
            format!("{{ fork = [{}] }}", branches.join(", "))
        }
        8 => format!("{{ spawn = {} }}", steps(draw, stations, 0, 2, false)),
        9 => format!(
            "{{ choose = [{{ chance = {}, steps = {} }}, {{ chance = 0.3, steps = {} }}] }}",
            0.7 * draw.unit(),
            inner(draw),
            inner(draw)
        ),
        10 => format!("{{ repeat = {}, steps = {} }}", 1 + draw.below(3), inner(draw)),
        11 => {
            let cache = draw.one_of(&["drawn", "lru"]);
            format!("{{ cache = \"{cache}\", hit = {}, miss = {} }}", inner(draw), inner(draw))
        }
        12 => format!("{{ sized = {{ scv = {} }}, steps = {} }}", 3.0 * draw.unit(), inner(draw)),
        _ => format!("\"s{}\"", draw.below(stations)),
    }
}

fn class(draw: &mut Draw, text: &mut String, idx: usize, stations: usize, closed: bool) {
    let _ = writeln!(text, "[class.c{idx}]\npriority = {}", draw.below(3));
    if closed {
        let think = 0.2 + 8.0 * draw.unit();
        let _ = writeln!(text, "population = {}\nthink = {}", 1 + draw.below(8), time(draw, think));
    } else {
        let between = 8.0 + 20.0 * draw.unit();
        match draw.below(3) {
            0 => {
                let _ = writeln!(text, "rate = \"{} /s\"", 1.0 / between);
            }
            1 => {
                let _ = writeln!(text, "interarrival = {}", time(draw, between));
            }
            _ => {
                let rate = 1.0 / between;
                let _ = writeln!(
                    text,
                    "burst = {{ rates = [\"0 /s\", \"{} /s\"], stays = [\"60 s\", \"20 s\"] }}",
                    4.0 * rate
                );
            }
        }
    }
    if draw.below(4) == 0 {
        let _ = writeln!(text, "[class.c{idx}.demand]");
        for station in 0..stations {
            let mean = 0.1 + 0.6 * draw.unit();
            let _ = writeln!(text, "s{station} = {}", time(draw, mean));
        }
        return;
    }
    let _ = writeln!(text, "path = {}", steps(draw, stations, 3, 0, true));
    let _ = writeln!(text, "[class.c{idx}.service]");
    for station in 0..stations {
        let mean = 0.05 + 0.4 * draw.unit();
        let _ = writeln!(text, "s{station} = {}", time(draw, mean));
    }
}

/// A network of one to three stations and classes, the first of which is closed.
pub(super) fn network(draw: &mut Draw) -> String {
    let mut text = String::from("schema = 1\n");
    let stations = 1 + draw.below(3);
    for idx in 0..stations {
        station(draw, &mut text, idx);
    }
    let _ = writeln!(text, "[pool.p]\ncapacity = {}", 2 + draw.below(3));
    text.push_str("[lock.l0]\n[lock.l1]\n[cache.drawn]\nhit = \"60 %\"\n");
    text.push_str("[cache.lru]\nitems = 20\ncapacity = 5\nskew = 1\n");
    for idx in 0..=draw.below(3) {
        let closed = idx == 0 || draw.below(2) == 0;
        class(draw, &mut text, idx, stations, closed);
    }
    text
}
