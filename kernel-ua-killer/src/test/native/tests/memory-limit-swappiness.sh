# While the limit takes memory that may not be swapped, swappiness is 0 on cgroup v1; then each cgroup has its own value again.
# shellcheck shell=bash
RESERVE=$((64 << 20))
# shellcheck source=kernel-ua-killer/src/test/native/limit.sh
. "$HERE/limit.sh"
[ "$UNIFIED" = 0 ] || skip "only cgroup v1 has swappiness"
limit_begin
SWAPPINESS=60 # what containers usually have
mkdir "$BEST_EFFORT/other"
echo 40 >"$BEST_EFFORT/memory.swappiness"
echo 60 >"$BEST_EFFORT/task/memory.swappiness"
echo 30 >"$BEST_EFFORT/other/memory.swappiness"
values() { cat "$BEST_EFFORT"/{,task/,other/}memory.swappiness "$BEST_EFFORT"/task/*/memory.swappiness 2>/dev/null | tr '\n' ' '; }
are() { [ "$(values)" = "$1 " ]; } # values
start_limit
stop_limit
are "40 60 30" || fail "swappiness is $(values)at the end of a tool that had nothing to take"

start_swap 32
start_limit
start "$BEST_EFFORT/task" idle 128
expect_grown 128
start "$PRODUCTION" idle 250
await 10 are "0 0 0" || fail "swappiness is $(values)while memory is taken: $(tail -1 "$FILES/limit.out")"
mkdir "$BEST_EFFORT/task/nested" # by the container: it has the 0 of the container
stop_limit
are "40 60 30 60" || fail "swappiness is $(values)at the end"

# The tool is killed meanwhile: the next one finds what it has left.
start_limit
await 10 are "0 0 0 0" || fail "swappiness is $(values)while memory is taken again: $(tail -1 "$FILES/limit.out")"
kill -9 "$TOOL" "$SENDER"
kill_cgroup "$PRODUCTION"
mkdir "$PRODUCTION"
are "0 0 0 0" || void "swappiness is $(values)after the tool was killed"
start_limit
await 5 are "60 60 60 60" || fail "swappiness is $(values)with the next tool: $(tail -1 "$FILES/limit.out")"
pass
