# File thrash without swap: a container that keeps reading evicted pages of its file is killed, production stays.
# shellcheck shell=bash
begin 48 0
load
start_helper
ua set cgth-time-ms 2000
"$WORK" create "$FILES/data" 48
victim=$(container best-effort)
production=$(container production)
best_effort "$victim"
watched "$production"
best_effort "$(container idle)" 500 60000
start "$DOMAIN/idle" idle 8
start "$production" idle 8
start "$victim" file "$FILES/data" 48 2
wait_dead "$victim" 40 || fail "alive after 40 s; $(state)"
sleep 0.5
expect_alive "$production" production
[ "$(decision series)" = file ] || fail "series $(decision series)"
expect_streak 2.0
pass "$(numbers)"
