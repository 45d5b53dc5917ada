#!/usr/bin/env bash
# Forced writes by filesystem and number of writers: makes a loop device with each of ext4, XFS and btrfs, measures pages and
# journal there with `plimsoll bench`, and removes all of it. Linux; needs root, losetup, jq and the filesystems' mkfs, and names
# what is missing. docs/benchmark.md has a result.
#
#   tests/filesystems.sh PLIMSOLL FOLDER [ext4] [xfs] [btrfs] [btrfs:ssd]
#
# FOLDER has the images, 4 GiB each, one at a time. A word after a colon is a mount option.
set -euo pipefail

usage="tests/filesystems.sh PLIMSOLL FOLDER [FILESYSTEM[:OPTION] …]"
binary=$(realpath "${1:?$usage}")
folder=$(realpath "${2:?$usage}")
shift 2
[ $# -gt 0 ] || set -- ext4 xfs btrfs btrfs:ssd

missing=()
[ "$(id -u)" = 0 ] || missing+=("root (for loop devices and mounts)")
for program in losetup mount jq $(printf 'mkfs.%s\n' "${@%%:*}" | sort -u); do
    command -v "$program" > /dev/null || missing+=("$program")
done
if [ ${#missing[@]} -gt 0 ]; then
    printf 'filesystems: missing: %s\n' "${missing[@]}" >&2
    exit 2
fi

work=$(mktemp -d "$folder/filesystems-XXXXXX")
device=
clean() {
    ! mountpoint -q "$work/mount" || umount "$work/mount"
    [ -z "$device" ] || losetup -d "$device"
    device=
    rm -f "$work/image"
}
trap 'clean; rmdir "$work/mount" "$work"' EXIT
trap 'exit 130' INT TERM HUP
mkdir "$work/mount"

echo "| filesystem | test | forced writes/s | median, ms |"
echo "|---|---|---:|---:|"
for wanted in "$@"; do
    filesystem=${wanted%%:*}
    option=${wanted#"$filesystem"}
    truncate -s 4G "$work/image"
    device=$(losetup --find --show --direct-io=on "$work/image")
    "mkfs.$filesystem" "$device" > /dev/null 2>&1
    mount -o "noatime${option:+,${option#:}}" "$device" "$work/mount"
    "$binary" bench "$work/mount" --only write-commit.8k.random --only journal --size "512 MiB" \
        --round "800 ms" --rounds 3 --quiet --format json |
        jq -r --arg on "$wanted" '.tests[] | "| \($on) | \(.id) | \(.iops | round) | \(.latency_s.p50 * 1e5 | round / 100) |"'
    clean
done
