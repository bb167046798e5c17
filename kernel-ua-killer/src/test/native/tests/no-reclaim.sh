# No container is sampled or killed while the kernel does not reclaim.
# shellcheck shell=bash
# must never
begin 400 600
load
victim=$(container best-effort)
best_effort "$victim"
ua set cgth-time-ms 500
before=$(json samplingPasses) reclaims=$(json reclaims)
held() { cat "$victim/memory.usage_in_bytes" 2>/dev/null || cat "$victim/memory.current"; }
start "$victim" anonymous 200 1
await 20 at_least $((200 << 20)) held || void "the container holds only $(($(held) >> 20)) MB"
sleep 2 # four times cgth_time
expect_alive "$victim" "a container without memory pressure"
expect_kills 0
[ "$(json reclaims)" = "$reclaims" ] || void "the kernel reclaims: $(state)"
[ "$(json samplingPasses)" = "$before" ] || fail "containers are sampled: $(state)"
pass
