# A container that keeps reading evicted file pages, which would fit if others held less, is killed, without any swap.
# shellcheck shell=bash
begin 64 0
load
start_helper
ua set cgth-time-ms 1500
"$WORK" create "$FILES/data" 160
victim=$(container best-effort)
best_effort "$victim"
best_effort "$(container idle)" 500 60000
start "$DOMAIN/idle" idle 15
start "$victim" file "$FILES/data" 160 2
wait_dead "$victim" 15 || fail "alive after 15 s; $(state)"
sleep 0.2
[ "$(decision series)" = file ] || fail "series $(decision series)"
expect_streak 1.5
pass "$(numbers)"
