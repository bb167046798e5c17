# Production triggers the kill of a best-effort container, and never dies itself, not even without a candidate.
begin 128 600
load
victim=$(container best-effort)
production=$(container production)
best_effort "$victim"
watched "$production"
ua set cgth-time-ms 1500
start "$victim" idle 60
start "$production" anonymous 220 1
wait_dead "$victim" 15 || fail "the best-effort container survived production's thrash; $(state)"
end=$(($(now_ms) + 5000))
while [ "$(now_ms)" -lt $end ]; do expect_alive "$production" production; sleep 0.2; done
[ "$(kills)" = 1 ] || fail "$(kills) kills, expected 1"
[ "$(json noCandidate)" -ge 1 ] || fail "the missing candidate was not counted"
pass "no candidate $(json noCandidate) times"
