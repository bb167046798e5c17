# After an unload under load, nothing happens any more, and the helper exits with a code that keeps systemd from starting it; loaded again, it works; a second load at the same time is refused.
# shellcheck shell=bash
begin 128 600
for tier in 1 3; do
  load --tier $tier
  start_helper
  ua unload >/dev/null || fail "unload failed"
  wait "$HELPER" 2>/dev/null
  code=$?
  [ $code = 5 ] || fail "tier $tier: after unload the helper exits with $code: $(cat "$FILES/helper.log")"
done
grep -qx "RestartPreventExitStatus=$code" "$HERE/../../../../conf/charon-ua-killer.service" ||
  fail "the unit starts a helper that exits with $code"
load
start_helper
kill "$HELPER"
wait "$HELPER" 2>/dev/null
code=$?
HELPER=
[ $code = 0 ] || fail "asked to stop, the helper exits with $code"
ua set cgth-time-ms 1000
victim=$(container best-effort)
best_effort "$victim"
start "$victim" anonymous 220 1
sleep 0.5
ua load >/dev/null 2>&1
[ $? = 3 ] || fail "a second load was not refused"
ua unload >/dev/null || fail "unload failed"
! compgen -G "$BPFFS/charon*" >/dev/null || fail "pins are left"
sleep 2 # twice cgth_time
expect_alive "$victim" "unloaded, the container"
load
ua set cgth-time-ms 1000
best_effort "$victim"
wait_dead "$victim" 8 || fail "alive 8 s after the second load"
expect_streak 1.0
pass "$(numbers)"
