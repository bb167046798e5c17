# cgth_time changes for running containers: off, long, short.
# shellcheck shell=bash
begin 128 600
load
victim=$(container best-effort)
best_effort "$victim"
ua set cgth-time-ms 0
start "$victim" anonymous 220 1
await 20 at_least 101 json reclaims || fail "the container does not thrash: $(state)"
sleep 1.5
expect_alive "$victim" "with cgth_time 0 the container"
ua set cgth-time-ms 30000
sleep 1
expect_alive "$victim" "with cgth_time 30 s the container"
ua set cgth-time-ms 2000 || fail "set failed"
from=$(now_ms)
wait_dead "$victim" 5 || fail "alive 5 s after cgth_time became 2 s"
pass "died $(($(now_ms) - from)) ms after cgth_time became 2 s during its thrash"
