# No container is sampled or killed while the kernel does not reclaim.
# shellcheck shell=bash
# must never
begin 400 600
load
victim=$(container best-effort)
best_effort "$victim"
ua set cgth-time-ms 500
before=$(json samplingPasses)
start "$victim" anonymous 200 1
sleep 2 # four times cgth_time
expect_alive "$victim" "a container without memory pressure"
expect_kills 0
pass "$(($(json samplingPasses) - before)) sampling passes"
