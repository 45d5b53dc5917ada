//! Mounts as the kernel lists them, and which one a path lies on.

use std::path::Path;

use plimsoll::bench::environment::Mount;
use plimsoll::bench::environment::mount::{holding, parse};

/// A server with its tables on XFS over LVM, its journal on a partition, its archives on NFS.
const SERVER: &str = r"22 1 8:2 / / rw,relatime shared:1 - ext4 /dev/sda2 rw,errors=remount-ro
23 22 0:21 / /proc rw,nosuid,nodev,noexec,relatime shared:12 - proc proc rw
24 22 0:22 / /sys rw,nosuid,nodev,noexec,relatime shared:7 - sysfs sysfs rw
25 22 0:23 / /run rw,nosuid,nodev shared:24 - tmpfs tmpfs rw,size=26343268k,mode=755,inode64
26 25 0:24 / /run/lock rw,nosuid,nodev,noexec,relatime shared:25 - tmpfs tmpfs rw,size=5120k,inode64
40 22 253:0 / /hxmetadata rw,noatime shared:30 - xfs /dev/mapper/vg0-p4db rw,attr2,inode64,logbufs=8,logbsize=256k,noquota
41 22 259:5 / /hxlogs rw,noatime,nodiratime shared:31 - xfs /dev/nvme0n1p5 rw,attr2,inode64,logbufs=8,logbsize=32k,noquota
42 22 0:52 / /hxdepots rw,noatime shared:32 - nfs4 nas01.example.com:/vol/p4depots rw,vers=4.1,rsize=1048576,wsize=1048576,namlen=255,hard,proto=tcp,nconnect=8,timeo=600,retrans=2,sec=sys,clientaddr=10.20.0.5,local_lock=none,addr=10.20.0.17
43 40 253:0 /p4/1/db1 /p4/1/db1 rw,noatime shared:30 - xfs /dev/mapper/vg0-p4db rw,attr2,inode64,logbufs=8,logbsize=256k,noquota
44 22 253:0 /p4/1/db1 /p4/1/db1 rw,noatime shared:30 - xfs /dev/mapper/vg0-p4db rw,attr2,inode64,logbufs=8,logbsize=256k,noquota
45 22 0:53 / /old rw,relatime - nfs filer:/vol/vol1 rw,vers=3,rsize=65536,wsize=65536,hard,proto=tcp,mountproto=udp,local_lock=all,addr=10.20.0.9
46 22 8:33 / /srv/depot\040one\134a ro,relatime shared:40 - ext4 /dev/sdc1 rw,data=ordered
";

fn on<'a>(mounts: &'a [Mount], path: &str) -> &'a Mount {
    holding(mounts, Path::new(path)).expect("a mount")
}

#[test]
fn a_line_says_filesystem_source_and_options() {
    let mounts = parse(SERVER);
    assert_eq!(mounts.len(), SERVER.lines().count());
    let root = on(&mounts, "/home/perforce");
    assert_eq!(root.filesystem, "ext4");
    assert_eq!(root.device_number, "8:2");
    assert_eq!(root.options, ["rw", "relatime", "errors=remount-ro"]);
    assert_eq!(root.nfs, None);
    let tables = on(&mounts, "/hxmetadata/p4/1/db2");
    assert_eq!(tables.source, "/dev/mapper/vg0-p4db");
    assert_eq!(tables.option("logbsize"), Some("256k"));
    assert_eq!(tables.option("logb"), None);
}

#[test]
fn an_nfs_mount_says_what_was_agreed() {
    let mounts = parse(SERVER);
    let nfs = on(&mounts, "/hxdepots/p4/1").nfs.clone().unwrap();
    assert_eq!(nfs.server.as_deref(), Some("nas01.example.com"));
    assert_eq!(nfs.address.as_deref(), Some("10.20.0.17"));
    assert_eq!(nfs.version.as_deref(), Some("4.1"));
    assert_eq!(nfs.transport.as_deref(), Some("tcp"));
    assert_eq!(nfs.nconnect, Some(8));
    assert_eq!(nfs.read_bytes_max, Some(1 << 20));
    assert_eq!(nfs.write_bytes_max, Some(1 << 20));
    assert_eq!(nfs.local_lock.as_deref(), Some("none"));
    let old = on(&mounts, "/old/x").nfs.clone().unwrap();
    assert_eq!(old.version.as_deref(), Some("3"));
    // The mount's own transport, not that of the mount protocol; and no guess at one connection.
    assert_eq!(old.transport.as_deref(), Some("tcp"));
    assert_eq!(old.nconnect, None);
}

#[test]
fn old_kernels_say_the_minor_version_apart() {
    let line = "9 1 0:40 / /mnt rw - nfs4 [fd00::1]:/export rw,vers=4,minorversion=1,addr=fd00::1";
    let nfs = parse(line)[0].nfs.clone().unwrap();
    assert_eq!(nfs.version.as_deref(), Some("4.1"));
    assert_eq!(nfs.server.as_deref(), Some("[fd00::1]"));
}

#[test]
fn blanks_and_backslashes_in_points_are_decoded() {
    let mounts = parse(SERVER);
    let depot = on(&mounts, r"/srv/depot one\a/x,v");
    assert_eq!(depot.point, r"/srv/depot one\a");
    // What is not an escape stays, and a byte above 127 is part of its character.
    let odd = parse(r"7 1 0:9 / /a\04\400\303\244\ rw - tmpfs none rw");
    assert_eq!(odd[0].point, r"/a\04\400ä\");
}

#[test]
fn forbidden_writes_are_in_force_wherever_they_are_forbidden() {
    let mounts = parse(SERVER);
    let depot = on(&mounts, r"/srv/depot one\a");
    assert_eq!(depot.options, ["ro", "relatime", "data=ordered"]);
    let other = parse("7 1 8:1 / /m rw,noatime - ext4 /dev/sda1 ro");
    assert_eq!(other[0].options, ["noatime", "ro"]);
}

#[test]
fn a_name_that_begins_alike_is_another_folder() {
    let mounts = parse(SERVER);
    assert_eq!(on(&mounts, "/hxlogs2/p4").point, "/");
    assert_eq!(on(&mounts, "/hxlogs").point, "/hxlogs");
    assert_eq!(on(&mounts, "/run/lock/x").point, "/run/lock");
}

#[test]
fn a_bind_mount_says_which_folder_it_shows() {
    let mounts = parse(SERVER);
    let bound = on(&mounts, "/p4/1/db1/db.have");
    assert_eq!(bound.root, "/p4/1/db1");
    assert_eq!(bound.device_number, "253:0");
    assert_eq!(bound.id, 44);
}

#[test]
fn the_upper_one_of_stacked_mounts_counts() {
    // As /dev/shm of many containers: the second was mounted on the first, both listed.
    let stacked = parse(
        "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n\
         5 1 0:23 / /dev/shm rw - tmpfs first rw\n\
         6 5 0:24 / /dev/shm rw - tmpfs second rw,size=64k",
    );
    assert_eq!(on(&stacked, "/dev/shm/x").source, "second");
    // The kernel may list them in another order.
    let turned: Vec<Mount> = stacked.iter().rev().cloned().collect();
    assert_eq!(on(&turned, "/dev/shm/x").source, "second");
}

#[test]
fn a_mount_on_a_folder_above_hides_those_below() {
    // /data/fast was mounted first; then /data was mounted over, and its fast is a plain folder.
    let hidden = parse(
        "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n\
         5 1 8:17 / /data/fast rw - xfs /dev/sdb1 rw\n\
         6 1 8:33 / /data rw - xfs /dev/sdc1 rw",
    );
    assert_eq!(on(&hidden, "/data/fast/x").source, "/dev/sdc1");
    let shown = parse(
        "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n\
         5 1 8:33 / /data rw - xfs /dev/sdc1 rw\n\
         6 5 8:17 / /data/fast rw - xfs /dev/sdb1 rw",
    );
    assert_eq!(on(&shown, "/data/fast/x").source, "/dev/sdb1");
}

#[test]
fn a_container_lies_on_an_overlay() {
    let mounts = parse(
        "1200 900 0:311 / / rw,relatime master:400 - overlay overlay rw,lowerdir=/l/A:/l/B,upperdir=/var/lib/docker/overlay2/x/diff,workdir=/var/lib/docker/overlay2/x/work\n\
         1201 1200 0:314 / /proc rw,nosuid - proc proc rw\n\
         1207 1200 254:1 /var/lib/docker/volumes/p4/_data /p4 rw,relatime master:1 - ext4 /dev/vda1 rw",
    );
    assert_eq!(on(&mounts, "/tmp").filesystem, "overlay");
    assert_eq!(on(&mounts, "/p4/root").device_number, "254:1");
}

#[test]
fn in_a_changed_root_no_mount_need_be_the_root() {
    let mounts = parse("50 20 8:1 / /srv rw - ext4 /dev/sda1 rw\n51 50 8:2 / /srv/x rw - ext4 /dev/sda2 rw");
    assert_eq!(on(&mounts, "/srv/x/y").source, "/dev/sda2");
    assert_eq!(holding(&mounts, Path::new("/home")), None);
}

#[test]
fn lines_that_are_none_are_left_out() {
    let odd = "\nx\n1 2 3\n- - -\n1 0 8:1 / / rw ext4 /dev/sda1 rw\nA 0 8:1 / / rw - ext4 /dev/sda1 rw\n\
               1 0 8:1 / / rw - \n";
    assert_eq!(parse(odd), []);
    // An empty source, as some filesystems have it, and no options of the filesystem.
    let bare = parse("3 1 0:5 / /m rw -  ");
    assert!(bare.is_empty());
    let empty = parse("3 1 0:5 / /m rw,relatime - fuse.x  rw");
    assert_eq!((empty[0].source.as_str(), empty[0].filesystem.as_str()), ("", "fuse.x"));
}

/// A mount that stands on itself, or two on each other, do not hang the search.
#[test]
fn circles_end() {
    let circle = parse("1 1 8:1 / / rw - ext4 a rw\n2 3 8:2 / /m rw - ext4 b rw\n3 2 8:3 / /m rw - ext4 c rw");
    assert_eq!(on(&circle, "/m/x").source, "a");
    let round = parse("1 0 8:1 / / rw - ext4 a rw\n1 1 8:2 / / rw - ext4 b rw");
    assert!(holding(&round, Path::new("/m")).is_some());
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_without_panic(text in "[ -~\\n\\\\]{0,400}", path in "(/[a-c]{0,3}){0,4}") {
        let mounts = parse(&text);
        if let Some(mount) = holding(&mounts, Path::new(&path)) {
            proptest::prop_assert!(Path::new(&path).starts_with(&mount.point));
        }
    }

    #[test]
    fn what_the_kernel_escapes_comes_back(name in "[a-z \\t\\n\\\\äß€]{1,20}") {
        let escaped: String = name
            .chars()
            .map(|c| match c {
                ' ' => r"\040".to_owned(),
                '\t' => r"\011".to_owned(),
                '\n' => r"\012".to_owned(),
                '\\' => r"\134".to_owned(),
                other => other.to_string(),
            })
            .collect();
        let mounts = parse(&format!("1 0 8:1 / /{escaped} rw - ext4 /dev/sda1 rw"));
        proptest::prop_assert_eq!(&mounts[0].point, &format!("/{name}"));
    }
}
