# Without swap: best-effort memory displaces production's file pages until they refault; best-effort is killed.
# shellcheck shell=bash
begin 128 0
load
start_helper
ua set cgth-time-ms 1500
"$WORK" create "$FILES/data" 64
production=$(container production)
victim=$(container best-effort)
watched "$production"
best_effort "$victim"
start "$production" file "$FILES/data" 64 1
sleep 1
start "$victim" idle 90
wait_dead "$victim" 12 || fail "the best-effort container is alive; $(state)"
expect_alive "$production" production
[ "$(decision series)" = file ] || fail "series $(decision series)"
pass "$(numbers)"
