# A container that re-reads evicted file pages dies, without any swap.
begin 64 0
load
start_helper
"$WORK" create "$FILES/data" 160
victim=$(container best-effort)
best_effort "$victim"
start "$victim" file "$FILES/data" 160 2
wait_dead "$victim" 15 || fail "alive after 15 s; $(state)"
sleep 0.2
[ "$(decision series)" = file ] || fail "series $(decision series)"
expect_streak 3.0
pass "$(numbers)"
