# Tier 3 sleeps while the kernel signals no memory pressure, wakes for thrash, and samples all the time without the signal.
# shellcheck shell=bash
# long
begin 128 600
stalled() { sed -n 's/^some .*total=//p' /proc/pressure/memory; }
samples() { local n; n=$(json samples); echo "${n:-0}"; }
[ -w /proc/pressure/memory ] || skip "the kernel signals no memory pressure (PSI)"
load --tier 3
ua set cgth-time-ms 1500
victim=$(container best-effort)
best_effort "$victim"
start_helper
asleep() { # no sample in ten periods
  local before
  before=$(samples)
  sleep 1
  [ "$(samples)" = "$before" ]
}
sleep 4.5 # it is awake for 5 s at first
before=$(stalled)
if ! await 4 asleep; then
  [ $(($(stalled) - before)) -lt 10000 ] || skip "this machine was never free of memory pressure from elsewhere"
  fail "it samples without memory pressure"
fi
[ "$(json helperPid)" = "$HELPER" ] || fail "while it sleeps, status does not show it as alive"
from=$(now_ms)
start "$victim" anonymous 220 1
wait_dead "$victim" 8 || fail "it does not wake; $(state)"
took=$(($(now_ms) - from))
report="from the start of thrash to dead $took ms with cgth_time 1500 ms; $(numbers)"
kill "$HELPER"
wait "$HELPER" 2>/dev/null
# The signal is refused: the file is read-only in this mount namespace.
command -v unshare >/dev/null || pass "$report; no unshare, so a refused signal was not tried"
# shellcheck disable=SC2016 # expanded by the inner shell
unshare --mount sh -c 'mount --bind -o ro /proc/pressure/memory /proc/pressure/memory &&
  exec "$0" --bpffs "$1" reap' "$UA" "$BPFFS" >"$FILES/helper.log" 2>&1 &
HELPER=$!
await 2 grep -q "pressure/memory: .*samples all the time" "$FILES/helper.log" || fail "refused: $(cat "$FILES/helper.log")"
await 2 at_least $(($(samples) + 2)) samples || fail "without the signal it does not sample"
pass "$report"
