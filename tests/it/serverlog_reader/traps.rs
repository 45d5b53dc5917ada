//! What each trap of real logs becomes.

use std::fmt::Write as _;

use plimsoll::serverlog::record::{
    ArchiveKind, Damage, Ending, Estimate, FileTotals, LockTimes, ProxyTotals, Section, What,
};

use super::fixtures::{OTHERS, SUBMIT_AND_SYNC};
use super::{read, table};

#[test]
fn the_fixtures_are_understood_to_the_last_line() {
    for text in [SUBMIT_AND_SYNC, OTHERS] {
        let taken = read(text);
        assert_eq!(taken.understood.unknown, 0, "{:#?}", taken.damage);
        // A clock that went back is reported; the line is understood.
        let is_other = |damage: &&Damage| !damage.found.contains("a negative wait or hold");
        assert_eq!(taken.damage.iter().find(is_other), None);
        assert_eq!(taken.understood.bytes, text.len() as u64);
        assert_eq!(taken.understood.lines, text.lines().count() as u64);
    }
}

#[test]
fn a_submit_is_three_commands_of_one_process() {
    let taken = read(SUBMIT_AND_SYNC);
    let first = taken.one("user-submit");
    assert_eq!(first.arguments, "-d Fix the roof");
    assert_eq!((first.ending, first.lapse_s), (Ending::Completed, Some(0.12)));
    assert_eq!(first.usage.unwrap().blocks_out, 16);
    let second = taken.one("dm-SubmitChange");
    assert_eq!((second.lapse_s, second.compute_s), (Some(1.5), Some(0.03)));
    let third = taken.one("dm-CommitSubmit");
    assert_eq!(third.start.to_string(), "2023/04/05 10:00:02");
    assert_eq!(third.end.unwrap().to_string(), "2023/04/05 10:00:03");
    // "completed" says .460, the track block .461; the later one counts, as of the usage.
    assert_eq!(third.lapse_s, Some(0.461));
    assert_eq!(third.usage.unwrap().blocks_out, 908);
    assert_eq!(third.memory_bytes, Some(12 << 20));
    assert_eq!(third.process_bytes, Some(15 << 20));
    assert_eq!(third.files, Some(FileTotals { received_files: 4, received_bytes: 17 << 20, ..FileTotals::default() }));
}

#[test]
fn lock_files_are_no_tables_and_are_not_booked_on_the_table_before_them() {
    let taken = read(SUBMIT_AND_SYNC);
    let commit = taken.one("dm-CommitSubmit");
    let revisions = table(commit, "db.rev");
    assert_eq!(revisions.section, Section::Table);
    assert_eq!(revisions.total, LockTimes { write_wait_ms: 11, write_held_ms: 290, ..LockTimes::default() });
    assert_eq!((revisions.splits_internal, revisions.splits_leaf), (1, 2));
    let reordered = (revisions.reordered_internal, revisions.reordered_leaf);
    assert_eq!(reordered, (0, 3));
    assert!(revisions.blocked);
    for (name, held) in [("meta/commit", 300), ("clients/ann_ws", 450), ("label/release.1", 90)] {
        let lock = table(commit, name);
        assert_eq!((lock.section, lock.mode), (Section::LockFile, Some('W')));
        assert_eq!(lock.total.write_held_ms, held, "{name}");
    }
    assert_eq!(commit.tables.len(), 4);
    let archive = commit.archives[0];
    assert_eq!((archive.kind, archive.checkins), (ArchiveKind::Rcs, 4));
    assert_eq!((archive.read_bytes, archive.written_bytes), (1536, 2 << 20));
    assert_eq!((archive.digests, archive.copies), (4, 2));
}

#[test]
fn a_track_block_finds_its_command_when_another_one_runs() {
    let taken = read(SUBMIT_AND_SYNC);
    let sync = taken.one("user-sync");
    assert_eq!((sync.ending, sync.lapse_s), (Ending::Completed, Some(3.11)));
    assert_eq!((sync.compute_s, sync.paused_s), (Some(0.025), Some(1.2)));
    assert_eq!(sync.address, "10.0.0.9/10.1.0.4");
    assert_eq!(sync.program, "P4V/NTX64/2022.3/2305383/v93 (brokered)");
    // One estimate for each of its arguments.
    assert_eq!(
        sync.estimate,
        Some(Estimate { added: 5, updated: 1, deleted: 5, added_bytes: 10_000, updated_bytes: 200 })
    );
    // The files of the connection to the commit server are not those of the client.
    assert_eq!(sync.files, Some(FileTotals::default()));
    assert_eq!(sync.upstream.unwrap().sent_bytes, 4 << 20);
    assert_eq!(sync.rpc.unwrap().receive_s, 2.9);
    let have = table(sync, "db.have");
    // The log has -1.
    assert_eq!(have.total.write_held_ms, 0);
    assert_eq!((have.peeks, have.peek_wait_ms, have.peek_held_ms), (2, 1, 9));
    // What ran meanwhile keeps its own.
    let opened = taken.one("user-opened");
    assert_eq!((opened.ending, opened.tracked), (Ending::Completed, false));
    assert_eq!(taken.one("user-transmit").parent, Some(700));
    let stats = taken.one("client-Stats");
    assert_eq!((stats.pid, stats.user.as_str()), (700, "unknown"));
    assert_eq!(stats.client_files.unwrap().received_bytes, 10 << 20);
}

#[test]
fn replicas_never_say_that_they_have_ended() {
    let taken = read(OTHERS);
    let pulls: Vec<_> = taken.commands.iter().filter(|c| c.function == "pull").collect();
    assert_eq!(pulls.len(), 2, "each block is one");
    for pull in &pulls {
        assert_eq!((pull.ending, pull.end), (Ending::Unreported, Some(pull.start)));
    }
    // The log has -25.
    assert_eq!(table(pulls[0], "replica/pull").total.write_held_ms, 0);
    assert_eq!(taken.damage.len(), 1);
    assert_eq!(table(pulls[1], "rdb.lbr").section, Section::Table);
    let text = "\
Perforce server info:
	2017/01/02 03:04:05 pid 5 svc@unknown 10.0.0.1 [p4d/2016.2] 'rmt-FileFetch'
Perforce server info:
	2017/01/02 03:04:05 pid 5 svc@unknown 10.0.0.1 [p4d/2016.2] 'rmt-FileFetch'
Perforce server info:
	2017/01/02 03:04:05 pid 6 svc@unknown 10.0.0.1 [p4d/2016.2] 'rmt-Journal'
--- lapse .202s
Perforce server info:
	2017/01/02 03:04:05 pid 6 svc@unknown 10.0.0.1 [p4d/2016.2] 'rmt-Journal'
--- lapse .001s
";
    let endings: Vec<_> = read(text).commands.iter().map(|c| (c.pid, c.ending, c.lapse_s)).collect();
    let mut sorted = endings.clone();
    sorted.sort_by_key(|(pid, ..)| *pid);
    assert_eq!(
        sorted,
        [
            (5, Ending::Unreported, None),
            (5, Ending::Unreported, None),
            (6, Ending::Tracked, Some(0.202)),
            (6, Ending::Tracked, Some(0.001)),
        ]
    );
}

#[test]
fn triggers_errors_and_failed_authentication_are_of_the_command_that_ran() {
    let taken = read(OTHERS);
    let job = taken.one("user-job");
    assert_eq!((job.ending, job.failed), (Ending::Completed, true));
    assert_eq!(job.triggers[0].name, "check.form");
    assert_eq!(job.triggers[0].lapse_s, Some(0.149));
    let alone = "\
Perforce server info:
	2025/03/25 17:07:37 pid 9 ann@ws 10.0.0.1 [p4/v86] 'user-login -s'
--- failed authentication check
";
    let login = read(alone);
    let login = login.one("user-login");
    assert_eq!((login.ending, login.failed), (Ending::Unreported, true));
}

#[test]
fn twenty_thousand_failed_authentications_leave_nothing_running() {
    let mut text = String::new();
    for n in 0..30_000 {
        write!(
            text,
            "Perforce server info:\n\t2025/03/25 {:02}:{:02}:{:02} pid {n} ann@ws 10.0.0.1 [p4] 'user-info'\n\
             --- failed authentication check\n",
            n / 3600,
            n / 60 % 60,
            n % 60
        )
        .unwrap();
    }
    let mut reader = plimsoll::serverlog::Reader::new();
    let mut taken = super::Taken::default();
    reader.read(0, &mut text.as_bytes(), &mut taken).unwrap();
    assert!(reader.live() < 20, "{}", reader.live());
    reader.finish(&mut taken);
    assert_eq!(taken.commands.len(), 30_000);
    assert!(taken.commands.iter().all(|c| c.ending == Ending::Unreported));
}

#[test]
fn what_the_server_says_about_itself_is_kept() {
    let taken = read(OTHERS);
    let said: Vec<_> = taken.events.iter().map(|event| event.what.clone()).collect();
    assert_eq!(
        said,
        [
            What::Active(55),
            What::Paused(10),
            What::Pressure { cpu: 2, memory: 1, pause_rates: Some([59, 0]) },
            What::Error { pid: Some(800), operation: Some("user-job".to_owned()), text: "No such field.".to_owned() },
            What::Started { version: "P4D/LINUX26X86_64/2022.2/2468101".to_owned() },
        ]
    );
    assert_eq!(taken.events[0].at.unwrap().micros % 1_000_000, 560_465);
}

#[test]
fn a_restart_and_the_monitor_end_what_runs() {
    let taken = read(OTHERS);
    assert_eq!(taken.one("user-verify").ending, Ending::Restart);
    let removed = taken.one("user-key");
    assert_eq!((removed.ending, removed.failed), (Ending::Removed, true));
    assert_eq!(removed.arguments, "lock {\"id\": \"p4gf's\",");
    assert!(taken.commands.iter().all(|c| c.function != "IDLE"));
    assert_eq!(taken.one("user-info").ending, Ending::Pending);
}

#[test]
fn a_proxy_says_completed_only() {
    let taken = read(OTHERS);
    let proxy = taken.commands.iter().find(|c| c.pid == 33).unwrap();
    assert_eq!((proxy.ending, proxy.lapse_s), (Ending::Completed, Some(0.921)));
    assert_eq!(proxy.function, "");
    assert_eq!(
        proxy.proxy,
        Some(ProxyTotals { server_files: 1403, server_bytes: 26_843_546, cache_files: 203, cache_bytes: 254 << 20 })
    );
    assert_eq!(table(proxy, "pdb.monitor").pages_in, 7);
}

#[test]
fn the_same_command_three_times_in_a_second_is_three() {
    let start = "Perforce server info:\n\t2016/10/19 14:53:48 pid 4 ann@ws 10.0.0.1 [P4V] 'user-change -o'\n";
    let track = |ms: u64, pages: u64| {
        format!("{start}--- lapse .{ms:03}s\n--- db.user\n---   pages in+out+cached {pages}+0+3\n")
    };
    let completed = |ms: u64| format!("Perforce server info:\n\t2016/10/19 14:53:48 pid 4 completed .{ms:03}s\n");
    let one_by_one =
        (1..=3).map(|n| format!("{start}\n{}{}\n", completed(10 + n), track(10 + n, n))).collect::<Vec<_>>().concat();
    // The blocks of the first two come when the third runs.
    let late = format!(
        "{start}\n{}{start}\n{}{start}\n{}{}{}{}",
        completed(11),
        completed(12),
        track(11, 1),
        track(12, 2),
        completed(13),
        track(13, 3)
    );
    for text in [one_by_one, late] {
        let taken = read(&text);
        let found: Vec<_> =
            taken.commands.iter().map(|c| (c.lapse_s, table(c, "db.user").pages_in, c.ending)).collect();
        assert_eq!(
            found,
            [
                (Some(0.011), 1, Ending::Completed),
                (Some(0.012), 2, Ending::Completed),
                (Some(0.013), 3, Ending::Completed),
            ],
            "{text}"
        );
    }
}

#[test]
fn a_log_without_its_beginning_or_its_end_is_read_as_far_as_it_goes() {
    let text = "\
---   total lock wait+held read/write 0ms+0ms/0ms+99ms
--- db.have
---   pages in+out+cached 1+1+1

Perforce server info:
	2020/01/11 02:00:10 pid 7 completed 2.50s 0+0us 0+8io 0+0net 7632k 0pf
Perforce server info:
	2020/01/11 02:00:08 pid 7 ann@ws 10.0.0.1 [p4/2019.2] 'user-have'
--- lapse 2.50s

Perforce server info:
	2020/01/11 02:00:12 pid 8 completed .004s
Perforce server info:
	2020/01/11 02:00:12 pid 9 ann@ws 10.0.0.1 [p4/2019.2] 'user-files //depot/ro";
    let taken = read(text);
    assert_eq!(taken.damage.len(), 1, "{:#?}", taken.damage);
    assert!(taken.damage[0].found.contains("middle of a block"));
    assert_eq!(taken.damage[0].place.line, 1);
    let have = taken.one("user-have");
    assert_eq!((have.ending, have.user.as_str()), (Ending::Completed, "ann"));
    assert_eq!(have.start.to_string(), "2020/01/11 02:00:08");
    assert!(have.tables.is_empty(), "a cut block is of no command");
    let nameless = taken.commands.iter().find(|c| c.pid == 8).unwrap();
    assert_eq!(nameless.start.micros % 1_000_000, 996_000);
    assert_eq!(taken.one("user-files").ending, Ending::Pending);
}

#[test]
fn pastes_of_ztrack_are_commands() {
    let text = "\
$ p4 -p commit:1666 -u ann -Ztrack sync -n //depot/...
//depot/a#1 - added as /home/ann/a
— lapse .031s
— rpc msgs/size in+out 2+3/0mb+0mb himarks 795416/795272 snd/rcv .000s/.004s
— db.have
—   pages in+out+cached 3+0+2
— lapse .010s
— db.rev
— pages in+out+cached 5+0+2
";
    let taken = read(text);
    assert_eq!(taken.commands.len(), 2, "{taken:#?}");
    let sync = &taken.commands[0];
    assert_eq!((sync.function.as_str(), sync.arguments.as_str()), ("user-sync", "-n //depot/..."));
    assert_eq!((sync.ending, sync.lapse_s), (Ending::Tracked, Some(0.031)));
    assert_eq!(table(sync, "db.have").pages_in, 3);
    assert_eq!(taken.commands[1].function, "unknown");
    assert_eq!(table(&taken.commands[1], "db.rev").pages_in, 5);
    assert_eq!(taken.understood.unknown, 1);
}

#[test]
fn wrapped_lines_of_a_paste_are_put_together() {
    let text = "\
2018/08/02 14:25:10 pid 16 ann@ws 10.0.0.1
[p4/2018.2/LINUX26X86_64/165458] 'user-sync -p
//depot/...'
--- lapse 109s
--- rpc msgs/size in+out 2+3/0mb+0mb himarks
795416/795272 snd/rcv .000s/.004s
--- usage 598+67us 304+0io
0+0net 68864k 0pf
--- db.have
---   total lock wait+held read/write 0ms+0ms/0m
s+15ms
";
    let taken = read(text);
    assert_eq!(taken.damage, []);
    assert_eq!(taken.understood.unknown, 0);
    let sync = taken.one("user-sync");
    assert_eq!(sync.arguments, "-p");
    assert_eq!((sync.lapse_s, sync.ending), (Some(109.0), Ending::Tracked));
    assert_eq!(sync.rpc.unwrap().himark_reverse, 795_272);
    assert_eq!(sync.usage.unwrap().resident_kib, 68_864);
    assert_eq!(table(sync, "db.have").total.write_held_ms, 15);
}

#[test]
fn a_clock_that_goes_back_holds_nothing_up() {
    let mut text = String::new();
    for (n, hour) in [(1, "02:59:58"), (2, "02:00:01"), (3, "02:00:30"), (4, "02:01:00")] {
        writeln!(
            text,
            "Perforce server info:\n\t2024/10/27 {hour} pid {n} ann@ws 10.0.0.1 [p4] 'user-info'\n\
             Perforce server info:\n\t2024/10/27 {hour} pid {n} completed .010s"
        )
        .unwrap();
    }
    let mut reader = plimsoll::serverlog::Reader::new();
    let mut taken = super::Taken::default();
    reader.read(0, &mut text.as_bytes(), &mut taken).unwrap();
    assert_eq!(reader.live(), 1, "the last one waits");
    reader.finish(&mut taken);
    assert!(taken.commands.iter().all(|c| c.ending == Ending::Completed));
}

#[test]
fn holes_and_long_lines_are_passed_over_and_told() {
    let mut text =
        b"Perforce server info:\n\t2024/10/27 02:00:00 pid 1 ann@ws 10.0.0.1 [P\x004V \xff] 'user-info'\n".to_vec();
    let hole = text.len();
    text.resize(hole + (3 << 20), 0);
    text.extend_from_slice(b"Perforce server info:\n\t2024/10/27 02:00:00 pid 1 completed .010s\n");
    let long = text.len();
    text.resize(long + (2 << 20), b'x');
    text.extend_from_slice(b"\nPerforce server info:\n\t2024/10/27 02:00:00 pid 2 ann@ws 10.0.0.1 [p4] 'user-have'\n");
    let taken = super::read_files([&text[..]]);
    assert_eq!(taken.one("user-info").ending, Ending::Completed);
    assert_eq!(taken.one("user-info").program, "P/4V \u{fffd}");
    taken.one("user-have");
    let told: Vec<_> = taken.damage.iter().map(|d| (d.place.offset, d.bytes, d.found.as_str())).collect();
    assert_eq!(
        told,
        [(hole as u64, 3 << 20, "3145728 NUL bytes"), (long as u64, (2 << 20) + 1, "a line of 2097153 bytes"),]
    );
}

#[test]
fn sections_that_come_twice_are_added_and_their_longest_kept() {
    let start = "Perforce server info:\n\t2024/10/27 02:00:00 pid 1 ann@ws 10.0.0.1 [p4] 'user-diff //...'\n";
    let lock = |held: u64| {
        format!(
            "{start}--- clientEntity/ws(R)\n---   total lock wait+held read/write 1ms+{held}ms/0ms+0ms\n---   max lock wait+held read/write 1ms+{held}ms/0ms+0ms\n\n"
        )
    };
    let text = format!("{start}\n{}{}{}", lock(5), lock(40), lock(7));
    let taken = read(&text);
    let diff = taken.one("user-diff");
    assert_eq!(diff.ending, Ending::Pending, "lock files do not end a command");
    let entity = table(diff, "clientEntity/ws");
    assert_eq!((entity.total.read_wait_ms, entity.total.read_held_ms), (3, 52));
    assert_eq!(entity.longest.read_held_ms, 40);
}

#[test]
fn what_comes_when_a_command_is_complete_is_no_command() {
    let text = format!(
        "{SUBMIT_AND_SYNC}Perforce server info:\n\t2023/04/05 10:00:02 pid 400 ann@ann_ws 10.0.0.5 [p4/2022.2/LINUX26X86_64/2468101] 'dm-CommitSubmit'\n\
         --- clients/ann%5Fws(W)\n---   total lock wait+held read/write 0ms+0ms/0ms+450ms\n"
    );
    let taken = read(&text);
    taken.one("dm-CommitSubmit");
    assert_eq!(taken.damage.len(), 1);
    assert!(taken.damage[0].found.contains("too late"));
}

#[test]
fn without_ends_the_live_commands_are_bounded() {
    let mut text = String::new();
    for n in 0..100_500 {
        writeln!(text, "Perforce server info:\n\t2025/03/25 10:00:00 pid {n} a@w 10.0.0.1 [p4] 'user-info'").unwrap();
    }
    let mut reader = plimsoll::serverlog::Reader::new();
    let mut taken = super::Taken::default();
    reader.read(0, &mut text.as_bytes(), &mut taken).unwrap();
    assert!(reader.live() <= 100_000);
    assert_eq!(taken.commands[0].pid, 0, "the oldest goes first");
    assert_eq!(taken.commands[0].ending, Ending::Pending);
    reader.finish(&mut taken);
    assert_eq!(taken.commands.len(), 100_500);
}

#[test]
fn nuls_in_the_name_of_a_program_lose_no_command() {
    // P4V 2009.2 wrote some before the slash; elsewhere one stood for it.
    for nuls in ["\0\0/", "\0", "\0\0\0\0"] {
        let line =
            format!("\t2024/05/06 10:00:01 pid 1 amy@amy-ws 10.0.0.1 [P4V{nuls}NTX64/2009.2/1] 'user-have //a'\n");
        let taken = read(&format!(
            "Perforce server info:\n{line}Perforce server info:\n\t2024/05/06 10:00:02 pid 1 completed 1.00s\nPerforce server info:\n{line}--- lapse 1.00s\n--- db.have\n---   locks read/write 1/0 rows get+pos+scan put+del 0+1+5 0+0\n"
        ));
        let have = taken.one("user-have");
        assert_eq!(have.program, "P4V/NTX64/2009.2/1");
        assert!(have.tracked && taken.damage.is_empty(), "{taken:#?}");
    }
}
