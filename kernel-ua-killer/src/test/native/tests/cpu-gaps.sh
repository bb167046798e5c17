# If the numbers of the possible CPUs begin with a gap, events on the CPUs after it are counted.
# shellcheck shell=bash
for tool in unshare taskset; do command -v $tool >/dev/null || skip "no $tool (package util-linux)"; done
[ "$(nproc)" -ge 2 ] || skip "one CPU has no gaps"
begin 64 400
last=$(sed 's/.*[-,]//' /sys/devices/system/cpu/possible)
echo "$last" >"$FILES/possible"
mkdir -p "$BPFFS"
mount -t bpf -o mode=0755 bpf "$BPFFS" || skip "no bpffs"
# shellcheck disable=SC2016 # expanded by the inner shell
unshare --mount sh -c 'mount --bind "$1" /sys/devices/system/cpu/possible && exec taskset -c "$4" "$2" --bpffs "$3" load' \
  sh "$FILES/possible" "$UA" "$BPFFS" "$last" >/dev/null || fail "cannot load"
[ "$(json tier)" = 1 ] || fail "tier $(json tier): $(json reason)"
ua --json domain add "$DOMAIN" --killable-below "$DOMAIN" || fail "cannot add the domain"
ua set cgth-time-ms 0
victim=$(container victim)
best_effort "$victim"
run_in "$victim" taskset -c "$last" "$WORK" anonymous 90 1 >/dev/null 2>&1 || fail "the thrasher does not start"
refaults() { ua samples "$victim" 2>/dev/null | awk 'NR > 1 { n = $2 } END { print n + 0 }'; }
await 10 at_least 1000 refaults || fail "$(refaults) refaults are seen of what thrashes on CPU $last"
pass "$(refaults) refaults on CPU $last"
