# Unloaded under load nothing happens any more; loaded again it works; two loaders at once are refused.
begin 128 600
load
ua set cgth-time-ms 2000
victim=$(container best-effort)
best_effort "$victim"
start "$victim" anonymous 220 1
sleep 1
ua load >/dev/null 2>&1
[ $? = 3 ] || fail "a second load was not refused"
ua unload >/dev/null || fail "unload failed"
[ -z "$(ls "$BPFFS" | grep charon)" ] || fail "pins are left"
sleep 4
expect_alive "$victim" "unloaded, the container"
load
ua set cgth-time-ms 2000
best_effort "$victim"
wait_dead "$victim" 8 || fail "alive 8 s after the second load"
expect_streak 2.0
pass "$(numbers)"
