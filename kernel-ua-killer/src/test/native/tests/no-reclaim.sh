# Nothing is sampled and nothing dies while the kernel does not reclaim.
begin 400 600
load
victim=$(container best-effort)
best_effort "$victim"
ua set cgth-time-ms 500
before=$(json samplingPasses)
start "$victim" anonymous 200 1
sleep 4
expect_alive "$victim" "a container without memory pressure"
[ "$(kills)" = 0 ] || fail "$(kills) kills"
pass "$(($(json samplingPasses) - before)) sampling passes"
