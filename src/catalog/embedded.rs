//! The files of `models/` inside the binary. `tests/it/catalog.rs` checks that none is forgotten.

/// Lists files of a folder with their text.
macro_rules! files {
    ($($kind:literal: $($id:literal)*;)*) => {
        &[$($(($kind, $id, include_str!(concat!("../../models/", $kind, "/", $id, ".toml")))),*),*]
    };
}

/// Kind, id and text of each file.
pub(super) const FILES: &[(&str, &str, &str)] = files! {
    "protocols": "fc" "fcoe" "iscsi" "local" "nfsv3" "nfsv4.1" "smb";
    "filesystems": "ext3" "ext4" "ntfs" "reiserfs" "ufs" "xfs" "zfs";
    "media": "cloud-gp3" "cloud-io2" "disk-10k" "disk-15k" "disk-sata" "nvme" "ssd-sas";
    "raid": "raid-dp" "raid0" "raid1" "raid10" "raid5" "raid6";
    "arrays": "cloud-block" "cloud-nfs" "ea-san" "fas3070" "fas3270" "flasharray" "flashblade"
        "local-raid" "storagetek-3510";
    "caches": "arc" "controller-cache" "host-page-cache" "l2arc" "pam-default" "pam-low-priority"
        "pam-metadata";
    "servers": "cloud-8xl" "dell-2850" "dell-2950" "dell-6650" "dell-6850" "dl580-g7"
        "dl585-client" "n08-host" "poweredge-2950-client" "present-16c" "present-32c"
        "pure-host" "sun-v440" "sun-x4200" "x86-2002" "x86-2005" "x86-2008" "x86-2012" "x86-2017";
    "networks": "eth-100g" "eth-10g" "eth-1g" "eth-25g" "fc-4g" "fc-8g";
    "commands": "add" "archive-pull" "branchsubmit-commit" "changes" "checkpoint" "client-delete"
        "client-spec" "delete" "dirs" "edit" "filelog" "files" "flush" "fstat" "fstst-64k-read" "fstst-64k-write" "fstst-8k-commit"
        "fstst-8k-read" "fstst-8k-write" "have" "integrate"
        "integrate-n" "journal-pull" "journal-rotate" "label" "opened" "overhead" "poll-ci"
        "poll-ide" "resolve" "revert" "shelve" "submit" "sync" "sync-n" "sync-p" "unshelve"
        "verify";
    "layouts": "block-edges" "cloud-disks" "ea-standard-2007" "flasharray-flashblade"
        "flasharray-only" "local-all" "local-db-san-depot" "local-edges" "local-nvme-nas-depot"
        "local-nvme-san-depot" "local-pairs" "n08-fcp" "n08-iscsi" "n08-nfs" "n13-fc" "n13-iscsi" "n13-nfs"
        "n13-split" "n13-split-journal-iscsi" "nfs-all" "p17-fa" "p17-fa-fb" "p17-fa-fb-1edge"
        "p17-fa-fb-3edge" "p17-fb" "p17-ssd" "san-four-volumes" "san-nas-edges" "single-volume"
        "split" "split-journal-nas" "split-log-nas" "z09-ufs" "z09-zfs" "zfs-pool"
        "zfs-pool-l2arc";
    "scenarios": "ci-herd" "failing-controller" "failing-disk" "failing-edge" "large-submit"
        "peak-hour" "working-day";
    "settings": "fstab-options" "linux-iscsi" "linux-memory" "linux-modules" "linux-multipath" "linux-network"
        "linux-nfs" "linux-read-ahead" "linux-thp" "p4-configure" "p4-configure-edge" "p4-depot-maps"
        "p4d-checkpoint" "p4d-directories" "p4d-environment" "p4d-service" "windows-format" "windows-notes"
        "workspace-options";
};

/// The works that origins cite.
pub(super) const REFERENCES: &str = include_str!("../../models/references.toml");

/// The text of one of them.
pub(super) fn text(kind: &str, id: &str) -> Option<&'static str> {
    let found = FILES.iter().find(|(k, i, _)| *k == kind && *i == id);
    found.map(|(.., text)| *text)
}
