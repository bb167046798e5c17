# The moving limit on cgroup v2: it reclaims page cache, causes no kill by its writes, limits swap, too, and is adopted after a crash.
# shellcheck shell=bash
# must never
NODE_MB=220
# shellcheck source=kernel-ua-killer/src/test/native/limit.sh
. "$HERE/limit.sh"
limit_begin
at_most() { [ "$("${@:2}")" -le "$1" ]; } # bytes command...: the command echoes a number
kills() { awk '$1 == "oom_kill" { print $2 }' "$DOMAIN/memory.events"; }
"$WORK" create "$FILES/stream" 240 || fail "no file"
start_limit
ready=$(head -1 "$FILES/limit.out")
grep -q '"cgroupVersion":2,"limitBytes":-1' <<<"$ready" || fail "it prints: $ready"
start "$BEST_EFFORT/task" stream "$FILES/stream" 100000
await 40 at_least $((170 << 20)) use "$BEST_EFFORT" || void "best-effort holds $(($(use "$BEST_EFFORT") >> 20)) MB; $(tail -1 "$FILES/limit.out")"
start "$PRODUCTION" idle 70
await 20 at_most $(((NODE_MB - 70 - 12) << 20)) use "$BEST_EFFORT" ||
  fail "best-effort still holds $(($(use "$BEST_EFFORT") >> 20)) MB; $(tail -1 "$FILES/limit.out")"
expect_alive "$BEST_EFFORT" "best-effort, which holds nothing but page cache,"
expect_alive "$PRODUCTION" production
slowed() { [ "$(cat "$BEST_EFFORT/memory.high")" != max ]; }
await 5 slowed || fail "memory.high is never set while there is page cache"
not_slowed() { [ "$(cat "$BEST_EFFORT/memory.high")" = max ]; }

# The tool ends: the limit stays, and nothing slows best-effort down that nobody would remove.
stop_limit
[ "$(cat "$BEST_EFFORT/memory.max")" != max ] || fail "the limit did not stay"
not_slowed || fail "memory.high stays at $(cat "$BEST_EFFORT/memory.high")"
start_limit

# The tool is killed: the limit stays, and the next tool starts from it.
kill -9 "$TOOL"
stayed=$(cat "$BEST_EFFORT/memory.max")
kill -9 "$SENDER" 2>/dev/null
start_limit
grep -q "\"limitBytes\":$stayed," "$FILES/limit.out" || fail "$stayed was not adopted: $(head -1 "$FILES/limit.out")"

# The limit is never set below the memory that cannot be dropped: the kernel would kill. Nor more than a quarter of the
# reserve above it: best-effort must not grow much while memory is short.
end_best_effort
stop_limit
"$UA" memory-limit remove --cgroup "$BEST_EFFORT" --boundary "$DOMAIN" || fail "remove failed"
kill_cgroup "$PRODUCTION"
mkdir "$PRODUCTION"
start_limit
start "$BEST_EFFORT/task" idle 160
expect_grown 160
start "$PRODUCTION" idle 50
await 20 grep -q '"uncoveredMillis":[1-9][0-9][0-9]' "$FILES/limit.out" || fail "no shortage is reported: $(tail -1 "$FILES/limit.out")"
sleep 1
expect_alive "$BEST_EFFORT" best-effort
expect_alive "$PRODUCTION" production
[ "$(kills)" = 0 ] || fail "$(kills) processes were killed by the kernel"
await 5 not_slowed || fail "without page cache memory.high only makes it crawl"
if grep -q '"setsWithoutBlocking":true' <<<"$ready"; then
  room() { echo $(($(cat "$BEST_EFFORT/memory.max") - $(unreclaimable "$BEST_EFFORT"))); }
  await 5 at_most $((6 << 20)) room || fail "best-effort may grow by $(($(room) >> 10)) KiB"
fi
numbers="longest write of the sampling thread $(reported max longestClampMicros) us, steps $(reported sum steps), interrupted $(reported sum interruptedSteps)"

# Best-effort's page cache covers what production needs, and Linux does not take it: a step that reclaims too little is not refused.
if [ -e "$BEST_EFFORT/memory.reclaim" ]; then
  end_best_effort
  stop_limit
  mkdir "$BEST_EFFORT/kept"
  echo max >"$BEST_EFFORT/kept/memory.min"
  "$WORK" create "$FILES/kept" 40 || fail "no file"
  start_limit
  start "$BEST_EFFORT/kept" cache "$FILES/kept"
  start "$BEST_EFFORT/task" idle 105
  expect_grown 105
  await 20 at_least $((142 << 20)) use "$BEST_EFFORT" || void "best-effort holds $(($(use "$BEST_EFFORT") >> 20)) MB"
  start "$PRODUCTION" idle 15
  await 20 at_least 5 reported sum steps || void "production needs nothing: $(tail -1 "$FILES/limit.out")"
  [ "$(reported sum refusedSteps)" = 0 ] || fail "$(reported sum refusedSteps) of $(reported sum steps) steps: $(grep -o '"refusal":"[^"]\+"' "$FILES/limit.out" | tail -1)"
  [ "$(kills)" = 0 ] || fail "$(kills) processes were killed by the kernel"
fi

# With swap, best-effort that grows beyond the limit is killed within it, and its memory does not go to swap: only what
# went there when that was permitted stays.
end_best_effort
stop_limit
kill_cgroup "$PRODUCTION"
mkdir "$PRODUCTION" "$BEST_EFFORT/grower"
echo max >"$DOMAIN/memory.swap.max"
start_swap 256
swapped() { cat "$BEST_EFFORT/memory.swap.current"; }
swap_limit_is() { [ "$(cat "$BEST_EFFORT/memory.swap.max")" = "$1" ]; } # bytes or max
SWAP_LIMIT=$((1 << 50))
start_limit
start "$PRODUCTION" idle 20
start "$BEST_EFFORT/task" idle 220
of_task() { awk '/^(RssAnon|VmSwap):/ { n += $2 } END { print n }' "/proc/$(cat "$BEST_EFFORT/task/cgroup.procs")/status"; } # KB, counted in batches
await 40 at_least $((219 << 10)) of_task || void "best-effort has $(($(swapped) >> 20)) MB in swap: $(tail -1 "$FILES/limit.out")"
stop_limit
SWAP_LIMIT=0
start_limit
await 2 swap_limit_is 0 || fail "swap may be $(cat "$BEST_EFFORT/memory.swap.max") bytes"
before=$(swapped) most=0
grower_ended() {
  local now
  now=$(swapped)
  [ "$now" -le $most ] || most=$now
  dead "$BEST_EFFORT/grower"
}
start "$BEST_EFFORT/grower" anonymous 300 1
await 40 grower_ended || fail "best-effort grows to $(($(use "$BEST_EFFORT") >> 20)) MB and nobody is killed; $(($(swapped) >> 20)) MB are in swap"
[ "$before" -ge $((16 << 20)) ] || void "$((before >> 20)) MB were in swap before"
[ $most -le $((before + (1 << 20))) ] || fail "$((most >> 20)) MB went to swap, after $((before >> 20)) MB"
expect_alive "$PRODUCTION" production
numbers+=", at most $((most >> 20)) MB in swap, after $((before >> 20)) MB"

# The tool is killed: the limit of swap stays with the other one, and goes with it.
kill -9 "$TOOL" "$SENDER"
swap_limit_is 0 || fail "the limit of swap did not stay"
start_limit
stop_limit
"$UA" memory-limit remove --cgroup "$BEST_EFFORT" --boundary "$DOMAIN" || fail "remove failed"
[ "$(cat "$BEST_EFFORT/memory.max")" = max ] || fail "the limit is still there"
swap_limit_is max || fail "swap may still be only $(cat "$BEST_EFFORT/memory.swap.max") bytes"
pass "$(grep -o '"setsWithoutBlocking":[a-z]*' <<<"$ready"), $numbers"
