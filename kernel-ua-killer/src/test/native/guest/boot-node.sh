#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Boots a separate machine in QEMU (plain emulation): Debian 13 with systemd on cgroup v2, a Hadoop and a release of
# Charon.
#   boot-node.sh CACHE WORK FILES AGENT-PORT PORT...
# The content of the directory FILES is copied over the guest's root. A program in the guest connects to AGENT-PORT on
# the loopback of this machine, and runs the requests that it receives as root; the other ports are forwarded to the
# guest. Exits with 3 and the reason on standard error if the guest cannot be provided. Runs until the guest ends,
# which happens when that connection ends; the console goes to standard output.
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
cache=$(realpath -m "$1") work=$2 files=$3 agent=$4
shift 4

skip() { echo "$*" >&2; exit 3; }

[ "$(uname -m)" = x86_64 ] || skip "guests are x86-64 only"
[ "$(id -u)" = 0 ] || skip "needs root: the guest's files shall be root's"
for command in apt-get qemu-system-x86_64 busybox cpio xz mke2fs; do
  command -v $command >/dev/null || skip "no $command; run kernel-ua-killer/install-packages.sh --guests"
done
mkdir -p "$cache"
kernel=$("$HERE/fetch-kernel.sh" "$cache" '[7-9]\.[0-9]+\.' amd64 2>"$work/reason") || skip "$(head -1 "$work/reason")"
system=$("$HERE/fetch-system.sh" "$cache" 2>"$work/reason") || skip "$(head -1 "$work/reason")"

root=$work/root
mkdir -p "$root"
cp -a "$system/." "$root/"
mkdir -p "$root"/{etc/systemd/system/multi-user.target.wants,proc,sys,dev,run,tmp,var/lib,var/log,root,home}
chmod 1777 "$root/tmp"
printf 'root:x:0:0::/root:/bin/bash\nyarn:x:900:900::/home:/bin/bash\n' >"$root/etc/passwd"
printf 'nobody:x:65534:65534::/nonexistent:/bin/bash\n' >>"$root/etc/passwd"
printf 'root:x:0:\nyarn:x:900:\nnogroup:x:65534:\n' >"$root/etc/group"
printf 'passwd: files\ngroup: files\nhosts: files\n' >"$root/etc/nsswitch.conf"
printf '127.0.0.1 localhost node\n' >"$root/etc/hosts"
echo node >"$root/etc/hostname"
echo 0123456789abcdef0123456789abcdef >"$root/etc/machine-id"
ln -sf /usr/lib/systemd/system/multi-user.target "$root/etc/systemd/system/default.target"
for unit in systemd-logind systemd-pcrmachine systemd-firstboot systemd-update-done systemd-journal-flush systemd-random-seed \
  systemd-journal-catalog-update systemd-hwdb-update getty@tty1 serial-getty@ttyS0; do
  ln -sf /dev/null "$root/etc/systemd/system/$unit.service"
done
cat >"$root/etc/systemd/system/agent.service" <<UNIT
[Service]
ExecStart=/usr/local/sbin/agent $agent
[Install]
WantedBy=multi-user.target
UNIT
ln -s ../agent.service "$root/etc/systemd/system/multi-user.target.wants/agent.service"
mkdir -p "$root/usr/local/sbin"
cp "$HERE/agent" "$root/usr/local/sbin/agent"
chmod 755 "$root/usr/local/sbin/agent"
# Copies the targets of links; some links of a JDK have no target.
dangling=$(cd "$files" && find -L . -type l)
tar -C "$files" -ch --exclude-from=<(echo "${dangling:-./none}") . | tar -C "$root" -x --keep-directory-symlink
chown -R 0:0 "$root"
truncate -s 4G "$work/disk"
mke2fs -q -F -t ext4 -O ^has_journal -E lazy_itable_init=1 -d "$root" "$work/disk"
rm -rf "$root"

initramfs=$work/initramfs
mkdir -p "$initramfs"/{bin,modules}
cp "$(command -v busybox)" "$initramfs/bin/"
cp "$kernel"/modules/* "$initramfs/modules/"
cp "$HERE/init-of-disk" "$initramfs/init"
(cd "$initramfs" && find . | cpio --quiet -o -H newc | gzip -1) >"$work/initramfs.gz"

forwards=
for port in "$@"; do forwards=$forwards,hostfwd=tcp:127.0.0.1:$port-:$port; done
# As in run-guests.sh, with a network in which 10.0.2.2 is the loopback of this machine.
exec nice -n 10 qemu-system-x86_64 -accel tcg,thread=multi -cpu Haswell-noTSX -smp 2 -m 1536 \
  -nographic -no-reboot -nodefaults -serial stdio -drive "file=$work/disk,format=raw,if=virtio,cache=unsafe" \
  -netdev "user,id=net$forwards" -device virtio-net-pci,netdev=net,romfile= \
  -kernel "$kernel/vmlinuz" -initrd "$work/initramfs.gz" \
  -append "console=ttyS0 quiet loglevel=2 panic=-1 mitigations=off tsc=nowatchdog clocksource=hpet systemd.show_status=0" </dev/null
