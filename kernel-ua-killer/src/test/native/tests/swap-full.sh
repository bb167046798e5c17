# Swap fills up while best-effort grows: it is killed before production is.
# shellcheck shell=bash
begin 128 96
load
start_helper
ua set cgth-time-ms 1000
production=$(container production)
victim=$(container best-effort)
watched "$production"
best_effort "$victim"
start "$production" anonymous 60 1
sleep 0.5
start "$victim" anonymous 150 1
wait_dead "$victim" 12 || fail "the best-effort container is alive; $(state)"
at_least 1 kills || skip "Linux's OOM killer came first: no swap was left before cgth_time ended"
expect_alive "$production" production
pass "$(numbers)"
