# The helper dies in the middle of an episode: the kernel kills all the same, and a new helper takes over.
begin 128 600
load
start_helper
victim=$(container best-effort)
best_effort "$victim"
start "$victim" anonymous 220 1
sleep 1.5
{ kill -9 "$HELPER" && wait "$HELPER"; } 2>/dev/null
wait_dead "$victim" 10 || fail "alive without the helper"
[ "$(decision executor)" = reclaimer ] || fail "killed by $(decision executor)"
expect_streak 3.0
first=$(decision decisionToLastSignalMillis)
start_helper
second=$(container second)
best_effort "$second"
start "$second" anonymous 220 1
wait_dead "$second" 10 || fail "alive with the second helper"
sleep 0.3
[ "$(decision decisionToGoneMillis)" != null ] || fail "the new helper did not see the victim"
pass "without helper $first ms to the last SIGKILL; then $(numbers)"
