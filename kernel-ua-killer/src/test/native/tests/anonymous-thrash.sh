# A best-effort container whose anonymous working set does not fit is killed within cgth_time and one period.
# shellcheck shell=bash
begin 128 600
load
start_helper
victim=$(container best-effort)
bystander=$(container production)
best_effort "$victim"
watched "$bystander"
start "$bystander" idle 30
start "$victim" anonymous 220 2
wait_dead "$victim" 15 || fail "alive after 15 s; $(state)"
expect_alive "$bystander" production
sleep 0.2
expect_kills 1
[ "$(decision series)" = anonymous ] || fail "series $(decision series)"
expect_streak 3.0
pass "$(numbers)"
