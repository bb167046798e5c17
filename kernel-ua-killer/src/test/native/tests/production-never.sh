# Production triggers the kill of a best-effort container, and is never killed itself, not even without a candidate.
# shellcheck shell=bash
# must never
begin 128 600
load
victim=$(container best-effort)
production=$(container production)
best_effort "$victim"
watched "$production"
ua set cgth-time-ms 1000
start "$victim" idle 60
start "$production" anonymous 220 1
wait_dead "$victim" 20 || fail "the best-effort container survived production's thrash; $(state)"
await 10 at_least 2 json noCandidate || fail "the missing candidate was not counted; $(state)"
expect_alive "$production" production
expect_kills 1
pass "no candidate $(json noCandidate) times"
