# When swap counts against the limit again, what best-effort has in swap may stay there; once it is gone, nothing more may follow.
# shellcheck shell=bash
NODE_MB=200 SWAP_MB=100
# shellcheck source=kernel-ua-killer/src/test/native/limit.sh
. "$HERE/limit.sh"
[ "$UNIFIED" = 0 ] || skip "only on cgroup v1 one limit counts memory and swap together"
limit_begin
[ -e "$BEST_EFFORT/memory.memsw.limit_in_bytes" ] || skip "the kernel does not count swap"
limit_of() { cat "$BEST_EFFORT/$LIMIT"; }
both_of() { cat "$BEST_EFFORT/memory.memsw.limit_in_bytes"; }
swapped() { echo $(($(cat "$BEST_EFFORT/memory.memsw.usage_in_bytes") - $(use "$BEST_EFFORT"))); }
limits() { echo "limits are $(limit_of) and with swap $(both_of) bytes: $(tail -1 "$FILES/limit.out")"; }
set_limit "$BEST_EFFORT/task" 20
start "$BEST_EFFORT/task" idle 80
await 20 at_least $((55 << 20)) swapped || void "best-effort has $(($(swapped) >> 20)) MB in swap"
start "$PRODUCTION" idle 120
await 20 at_least $((120 << 20)) use "$PRODUCTION" || void "production holds $(($(use "$PRODUCTION") >> 20)) MB"
SWAP_LIMIT=$((1 << 50))
start_limit
await 2 at_least $((1 << 60)) both_of || fail "swap counts: $(limits)"
stop_limit
SWAP_LIMIT=0
start_limit
more() { [ "$(both_of)" -gt "$(limit_of)" ] && [ "$(both_of)" -lt $((90 << 20)) ]; }
await 2 more || fail "with 80 MB in memory and swap $(limits)"
end_best_effort
same() { [ "$(both_of)" = "$(limit_of)" ]; }
await 5 same || fail "without a process $(limits)"
expect_alive "$PRODUCTION" production
pass
