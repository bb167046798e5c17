# While the limit takes memory that may not be swapped, swappiness is 0 on cgroup v1; then each cgroup has its own value again.
# shellcheck shell=bash
RESERVE=$((64 << 20))
# shellcheck source=kernel-ua-killer/src/test/native/limit.sh
. "$HERE/limit.sh"
[ "$UNIFIED" = 0 ] || skip "only cgroup v1 has swappiness"
limit_begin
SWAPPINESS=60 # what containers usually have
mkdir "$BEST_EFFORT/master"
echo 40 >"$BEST_EFFORT/memory.swappiness"
echo 60 >"$BEST_EFFORT/task/memory.swappiness"
echo 0 >"$BEST_EFFORT/master/memory.swappiness"
values() { cat "$BEST_EFFORT"/{,task/,master/}memory.swappiness | tr '\n' ' '; }
are() { [ "$(values)" = "$1 " ]; } # values
start_limit
stop_limit
are "40 60 0" || fail "swappiness is $(values)at the end of a tool that had nothing to take"

start_swap 32
start_limit
start "$BEST_EFFORT/task" idle 128
expect_grown 128
start "$PRODUCTION" idle 250
await 10 are "0 0 0" || fail "swappiness is $(values)while memory is taken: $(tail -1 "$FILES/limit.out")"
stop_limit
are "40 60 0" || fail "swappiness is $(values)at the end"
pass
