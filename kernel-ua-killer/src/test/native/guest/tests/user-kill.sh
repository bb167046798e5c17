# Tier 3, for kernels that refuse the programs: the helper detects the thrash in memory.stat of cgroup v2 and kills.
# shellcheck shell=bash
begin 64 200
load --tier 3
start_helper
ua set cgth-time-ms 2000
victim=$(container best-effort)
production=$(container production)
best_effort "$victim"
watched "$production"
start "$production" idle 10
start "$victim" anonymous 100 1
wait_dead "$victim" 30 || fail "alive after 30 s; $(state)"
sleep 0.5
expect_alive "$production" production
expect_kills 1
[ "$(json tier)" = 3 ] || fail "tier $(json tier)"
[ "$(decision executor)" = helper ] || fail "killed by $(decision executor)"
expect_streak 2.0
pass "$(numbers)"
