//! Texts as servers write them: every trap, for the tests that break them.

/// A submit in three phases with its locks, and a sync with transmitting child and client-Stats.
pub(crate) const SUBMIT_AND_SYNC: &str = "\
Perforce server info:
	2023/04/05 10:00:00 pid 400 ann@ann_ws 10.0.0.5 [p4/2022.2/LINUX26X86_64/2468101] 'user-submit -d Fix the roof

and the 'door'
'

Perforce server info:
	2023/04/05 10:00:00 pid 400 completed .120s 40+10us 0+16io 0+0net 9000k 0pf
Perforce server info:
	2023/04/05 10:00:00 pid 400 ann@ann_ws 10.0.0.5 [p4/2022.2/LINUX26X86_64/2468101] 'dm-SubmitChange'

Perforce server info:
	2023/04/05 10:00:00 pid 400 compute end .030s 41+11us 0+24io 0+0net 9100k 0pf

Perforce server info:
	2023/04/05 10:00:02 pid 400 completed 1.50s 50+12us 0+4096io 0+0net 9300k 0pf
Perforce server info:
	2023/04/05 10:00:02 pid 400 ann@ann_ws 10.0.0.5 [p4/2022.2/LINUX26X86_64/2468101] 'dm-CommitSubmit'

Perforce server info:
	2023/04/05 10:00:02 pid 400 ann@ann_ws 10.0.0.5 [p4/2022.2/LINUX26X86_64/2468101] 'dm-CommitSubmit'
--- meta/commit(W)
---   total lock wait+held read/write 0ms+0ms/7ms+300ms

Perforce server info:
	2023/04/05 10:00:01 pid 700 bob@bob_ws 10.0.0.9/10.1.0.4 [P4V/NTX64/2022.3/2305383/v93 (brokered)] 'user-sync //depot/roof/... //depot/door/...'
Perforce server info:
	2023/04/05 10:00:01 pid 700 compute end .010s 4+1us 8+0io 0+0net 8000k 0pf
Perforce server info:
	Server network estimates: files added/updated/deleted=3/1/0, bytes added/updated=9000/200
Perforce server info:
	2023/04/05 10:00:01 pid 700 compute end .025s 6+1us 8+0io 0+0net 8000k 0pf
Perforce server info:
	Server network estimates: files added/updated/deleted=2/0/5, bytes added/updated=1000/0
Perforce server info:
	2023/04/05 10:00:02 pid 701 bob@bob_ws 10.0.0.9/10.1.0.4 [P4V/NTX64/2022.3/2305383/v93 (brokered)] 'user-transmit -t700 -b8 -s524288 -p'
Perforce server info:
	2023/04/05 10:00:02 pid 400 ann@ann_ws 10.0.0.5 [p4/2022.2/LINUX26X86_64/2468101] 'dm-CommitSubmit'
--- clients/ann%5Fws(W)
---   total lock wait+held read/write 0ms+0ms/0ms+450ms

Perforce server info:
	2023/04/05 10:00:03 pid 400 completed .460s 20+30us 100+900io 0+0net 9400k 1pf
Perforce server info:
	2023/04/05 10:00:02 pid 400 ann@ann_ws 10.0.0.5 [p4/2022.2/LINUX26X86_64/2468101] 'dm-CommitSubmit'
--- lapse .461s
--- usage 20+30us 100+908io 0+0net 9400k 1pf
--- memory cmd/proc 12mb/15mb
--- rpc msgs/size in+out 4+6/0mb+0mb himarks 795416/318788 snd/rcv .001s/.050s
--- filetotals (svr) send/recv files+bytes 0+0mb/4+17mb
--- db.rev
---   pages in+out+cached 30+12+20
---   pages split internal+leaf 1+2
---   pages reordered internal+leaf 0+3
---   locks read/write 0/1 rows get+pos+scan put+del 4+2+9 4+1
---   total lock wait+held read/write 0ms+0ms/11ms+290ms
---   max lock wait+held read/write 0ms+0ms/11ms+290ms
---   locks acquired by blocking after 3 non-blocking attempts
--- label/release%2E1(W)
---   total lock wait+held read/write 0ms+0ms/0ms+90ms
--- lbr Rcs
---   opens+closes+checkins+exists 4+4+4+0
---   reads+readbytes+writes+writebytes 8+1.5K+12+2.0M
---   digests+filesizes+modtimes+copies 4+1+1+2

Perforce server info:
	2023/04/05 10:00:04 pid 701 completed 1.90s 5+5us 0+0io 0+0net 7000k 0pf
Perforce server info:
	2023/04/05 10:00:02 pid 701 bob@bob_ws 10.0.0.9/10.1.0.4 [P4V/NTX64/2022.3/2305383/v93 (brokered)] 'user-transmit -t700 -b8 -s524288 -p'
--- lapse 1.90s
--- rpc msgs/size in+out 2+74/0mb+5mb himarks 97604/318788 snd/rcv 1.20s/.001s

Perforce server info:
	2023/04/05 10:00:04 pid 700 completed 3.10s 9+2us 8+0io 0+0net 8000k 0pf
Perforce server info:
	2023/04/05 10:00:05 pid 700 bob@bob_ws 10.0.0.9/10.1.0.4 [P4V/NTX64/2022.3/2305383/v93 (brokered)] 'user-opened'
Perforce server info:
	2023/04/05 10:00:01 pid 700 bob@bob_ws 10.0.0.9/10.1.0.4 [P4V/NTX64/2022.3/2305383/v93 (brokered)] 'user-sync //depot/roof/... //depot/door/...'
--- lapse 3.11s
--- paused 1.20s
--- rpc msgs/size in+out 3+9/0mb+0mb himarks 97604/318788 snd/rcv .000s/2.90s
--- filetotals (svr) send/recv files+bytes 0+0mb/0+0mb
--- rpc (commit.example:1666) msgs/size in+out 1+2/3mb+4mb himarks 2000/2000 snd/rcv .000s/.001s
--- filetotals (svr) send/recv files+bytes 77+7mb/0+0mb
--- db.have
---   pages in+out+cached 3+2+2
---   locks read/write 0/2 rows get+pos+scan put+del 0+1+6 6+0
---   total lock wait+held read/write 0ms+0ms/4ms+-1ms
---   peek count 2 wait+held total/max 1ms+9ms/1ms+5ms

Perforce server info:
	2023/04/05 10:00:05 pid 700 unknown@unknown 10.0.0.9/10.1.0.4 [P4V/NTX64/2022.3/2305383/v93 (brokered)] 'client-Stats'
--- filetotals (client) send/recv files+bytes 0+0mb/6+10mb

Perforce server info:
	2023/04/05 10:00:05 pid 700 completed .003s
";

/// Replicas, errors, triggers, noise, threads of the server, and a restart.
pub(crate) const OTHERS: &str = "\
Perforce server info:
	2023/04/05 10:01:00 pid 90 svc@unknown background [p4d/2022.2/LINUX26X86_64/2468101] 'pull -i 1'
--- db.view
---   pages in+out+cached 2+3+96
---   locks read/write 0/1 rows get+pos+scan put+del 0+0+0 1+0
--- replica/pull(W)
---   total lock wait+held read/write 0ms+0ms/0ms+-25ms

Perforce server info:
	2023/04/05 10:01:00 pid 90 svc@unknown background [p4d/2022.2/LINUX26X86_64/2468101] 'pull -i 1'
--- rdb.lbr
---   pages in+out+cached 2+0+14
---   locks read/write 0/1 rows get+pos+scan put+del 0+3+122 0+0
Pull command 91 xfering //depot/roof/tile.png#3 (edit, binary)
	2023/04/05 10:01:00 544730000 pid 91: connected to central server
Perforce server info:
	2023/04/05 10:01:01 pid 800 eve@eve-ws 10.0.0.7 [job/v9] 'user-job -i'
server to client 10.0.0.7:1666 vs 10.0.0.7:1666
Forwarder set trusted client address 10.0.0.7
Rpc himark: 97604

Perforce server info:
	2023/04/05 10:01:01 pid 800 eve@eve-ws 10.0.0.7 [job/v9] 'user-job -i' trigger check.form
lapse .149s
forwarder to unknown 10.0.0.7:1666 vs 10.0.0.7:1666
2023/04/05 10:01:01 560465376 pid 24: Server is now using 55 active threads.
2023/04/05 10:01:01 560486548 pid 24: Server now has 10 paused threads.
2023/04/05 10:01:01 004246895 pid 25: Server under resource pressure.  Pause rate CPU 59%, mem 0%, CPU pressure 2, mem pressure 1
Perforce server error:
	Date 2023/04/05 10:01:01:
	Pid 800
	Operation: user-job
	No such field.
Perforce server info:
	2023/04/05 10:01:02 pid 800 completed .300s 3+1us 0+0io 0+0net 7000k 0pf
Perforce server info:
	2023/04/05 10:01:01 pid 800 eve@eve-ws 10.0.0.7 [job/v9] 'user-job -i'
--- failed authentication check
Perforce server info:
	2023/04/05 10:01:03 pid 801 git@fusion 10.0.0.8 [Git Fusion/2017.1 (2019/04/01)/v82 (brokered)] 'user-key lock {\"id\": \"p4gf's\",
\"time\": \"now\"}'
Perforce server info:
	2023/04/05 10:03:00 pid 801 git@fusion 10.0.0.8 [Git Fusion/2017.1 (2019/04/01)/v82 (brokered)] 'IDLE' exited unexpectedly, removed from monitor table.
Perforce proxy info:
	2023/04/05 10:03:01 pid 33 completed .921s
--- lapse .921s
--- usage 1+1us 0+32io 0+0net 7732k 0pf
--- proxy faults 0 MB 0 other 0 flushes 1 cached 0
--- proxytotals files/size svr+cache 1403+203/25.6M+254M
--- pdb.monitor
---   pages in+out+cached 7+4+3
Perforce server info:
	2023/04/05 10:03:02 pid 802 eve@eve-ws 10.0.0.7 [p4/v9] 'user-verify //...'
Perforce server info:
	Perforce Server starting 2023/04/05 10:04:00 pid 1 P4D/LINUX26X86_64/2022.2/2468101.
Perforce server info:
	2023/04/05 10:04:01 pid 802 eve@eve-ws 10.0.0.7 [p4/v9] 'user-info'
";
