# The helper is killed in the middle of an episode: the kernel kills all the same, and a new helper takes over.
# shellcheck shell=bash
begin 128 600
load
start_helper
ua set cgth-time-ms 1500
victim=$(container best-effort)
best_effort "$victim"
start "$victim" anonymous 220 1
sleep 0.7
{ kill -9 "$HELPER" && wait "$HELPER"; } 2>/dev/null
wait_dead "$victim" 10 || fail "alive without the helper"
[ "$(decision executor)" = reclaimer ] || fail "killed by $(decision executor)"
expect_streak 1.5
first=$(decision decisionToLastSignalMillis)
start_helper
second=$(container second)
best_effort "$second"
start "$second" anonymous 220 1
wait_dead "$second" 10 || fail "alive with the second helper"
gone() { [[ $(decision decisionToGoneMillis) = [0-9]* ]]; }
await 2 gone || fail "the new helper did not see the victim"
pass "without helper $first ms to the last SIGKILL; then $(numbers)"
