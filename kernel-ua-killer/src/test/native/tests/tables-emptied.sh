# The detector observes a container and the limit around it although its tables (1024 containers, 64 limits) were full of removed ones; a table that stays full is reported.
# shellcheck shell=bash
for tool in perl bpftool; do command -v $tool >/dev/null || skip "no $tool"; done
case $(uname -m) in x86_64) BPF=321 ;; aarch64) BPF=280 ;; *) skip "the number of the system call bpf is not known here" ;; esac
begin 64 0
# Adds entries for cgroups that do not exist, as if they had been removed, until the table is full.
fill() { # map entries
  # shellcheck disable=SC2016 # perl's own variables
  perl -e '
    my ($bpf, $pin, $entries) = @ARGV;
    my ($get, $update, $full) = (7, 2, 7);
    my $map = syscall($bpf, $get, pack("pQ", $pin, 0), 16);
    die "$pin: $!" if $map < 0;
    my $zeros = "\0" x 16384;
    for (1 .. $entries) {
      my $key = pack("Q", (1 << 40) + $_);
      die "entry $_: $!" if syscall($bpf, $update, pack("QppQ", $map, $key, $zeros, 0), 32) && $! != $full;
    }' "$BPF" "$BPFFS/charon/$1" "$2" 2>"$FILES/perl" || fail "$1 cannot be filled: $(cat "$FILES/perl")"
}
entries() { bpftool -j map dump pinned "$BPFFS/charon/$1" | grep -o '"key":\[' | wc -l; } # map
samples() { ua samples "$1" 2>/dev/null | wc -l; } # cgroup
for tier in 1 3; do
  load --tier $tier
  only=$(container only)
  best_effort "$only"
  fill container_state 1024
  fill walls 64
  start_helper
  truncate -s 1T "$FILES/stream"
  start "$only" stream "$FILES/stream" 1
  await 20 at_least 3 samples "$only" || fail "tier $tier: $(entries container_state) other containers, and the only one that runs is not observed; $(state)"
  [ "$(entries container_state)" = 1 ] || fail "tier $tier: $(entries container_state) containers are observed, and 1 is registered"
  [ "$(entries walls)" = 1 ] || fail "tier $tier: $(entries walls) limits are observed, and there is 1 killable root"
  [ "$(json tableFull)" = 0 ] || fail "tier $tier: a table was full $(json tableFull) times"
  kill_cgroup "$only"
  kill "$HELPER"
  wait "$HELPER" 2>/dev/null
  [ $tier = 3 ] || ua unload >/dev/null
done
# The helper finds a killable root that was created again although there is no room for one more.
roots=("$DOMAIN"/root-{1..64}) options=()
for root in "${roots[@]}"; do options+=(--killable-below "$root"); done
ua --json domain add "$DOMAIN" "${options[@]}" || fail "cannot name 64 killable roots"
rmdir "${roots[7]}" || fail "cannot remove a killable root"
mkdir "${roots[7]}" || fail "cannot create it again"
start_helper
id=$(stat -c %i "${roots[7]}") key=
for shift in {0..56..8}; do key+=" $((id >> shift & 255))"; done
# shellcheck disable=SC2086 # one word for each byte
found() { bpftool map lookup pinned "$BPFFS/charon/killable" key $key >/dev/null 2>&1; }
await 10 found || fail "the killable root that was created again is not found"
[ "$(entries killable)" = 64 ] || fail "$(entries killable) killable roots, expected 64"
# struct ua_counters: eight numbers, and the one that no test can make grow
# shellcheck disable=SC2046 # one word for each byte
bpftool map update pinned "$BPFFS/charon/counters" key 0 0 0 0 value $(printf '0 %.0s' {1..64}) 7 0 0 0 0 0 0 0 ||
  fail "the counters cannot be written"
[ "$(json tableFull)" = 7 ] || fail "status counts $(json tableFull), expected 7"
ua status | grep -q '^7 TIMES A TABLE WAS FULL' || fail "status: $(ua status)"
pass
