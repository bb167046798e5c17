# The moving limit itself: who may move it, what is refused, how quickly it stops growth, and what is left when its process is killed.
# shellcheck shell=bash
# must never
# shellcheck source=kernel-ua-killer/src/test/native/limit.sh
. "$HERE/limit.sh"
limit_begin
limit_of() { cat "$BEST_EFFORT/$LIMIT"; }
limit_tool() { timeout 10 "$UA" memory-limit "$@" </dev/null; }

refused 2 "are needed" limit_tool --cgroup "$BEST_EFFORT"
refused 2 "only subcommands" limit_tool frobnicate --cgroup "$BEST_EFFORT" --boundary "$DOMAIN"
refused 2 "No such file" limit_tool --cgroup "$DOMAIN/absent" --boundary "$DOMAIN"
refused 2 "not a cgroup" limit_tool --cgroup /tmp --boundary "$DOMAIN"
refused 2 "is not below" limit_tool --cgroup "$BEST_EFFORT" --boundary "$PRODUCTION"
refused 2 "is not below" limit_tool --cgroup "$DOMAIN" --boundary "$DOMAIN"
if command -v setpriv >/dev/null; then
  refused 4 "needs write permission" setpriv --reuid 65534 --regid 65534 --clear-groups "$UA" memory-limit --cgroup "$BEST_EFFORT" --boundary "$DOMAIN"
fi
before=$(limit_of)
limit_tool --cgroup "$BEST_EFFORT" --boundary "$DOMAIN" >/dev/null || fail "without input it does not simply end"
[ "$(limit_of)" = "$before" ] || fail "it moved the limit before it received what others may keep"

# A cgroup of version 1 may permit no real-time priority; then it takes its samples by a share of a processor.
if [ -e /sys/fs/cgroup/cpu/cpu.rt_runtime_us ]; then
  without=/sys/fs/cgroup/cpu/charon-it-$$
  mkdir "$without"
  (echo "$BASHPID" >"$without/tasks" && limit_tool --cgroup "$BEST_EFFORT" --boundary "$DOMAIN") >"$FILES/without" 2>&1
  await 5 rmdir "$without"
  grep -q '"realTime":true' "$FILES/without" || fail "without real-time priority: $(cat "$FILES/without")"
fi

# Any user may lock the directory, which must not hold up the limit.
if command -v setpriv >/dev/null; then
  setpriv --reuid 65534 --regid 65534 --clear-groups flock -x "$BEST_EFFORT" sleep 60 &
  holder=$!
  locked() { ! flock -n "$BEST_EFFORT" true; }
  await 5 locked || void "the directory cannot be locked"
fi

# It reports lines that it does not understand, and continues.
start_limit
grep -q '"event":"ready","cgroupVersion":[12],"limitBytes":-1,' "$FILES/limit.out" || fail "it prints: $(cat "$FILES/limit.out")"
for line in "" "boundary" "boundary=-1" "boundary=1" "frob=1" "number=1 number=2" \
  "number=99999999999999999999 boundary=1" "$(printf 'x%.0s' {1..5000})"; do
  echo "$line" >"$FILES/limit.in"
done
await 5 at_least 8 grep -c '"event":"refused"' "$FILES/limit.out" || fail "it prints: $(cat "$FILES/limit.out")"
(exec "$UA" memory-limit --cgroup "$BEST_EFFORT" --boundary "$DOMAIN" </dev/null) >"$FILES/second" 2>&1
grep -q "another process is moving this limit" "$FILES/second" || fail "a second one: $(cat "$FILES/second")"
[ -z "${holder:-}" ] || pkill -P "$holder" sleep

# Two threads allocate as fast as they can when production takes the free memory: the limit stops them at once, and
# memory is reclaimed.
"$WORK" create "$FILES/stream" 500 || fail "no file"
start "$BEST_EFFORT/task" stream "$FILES/stream" 100000
start "$BEST_EFFORT/task" stream "$FILES/stream" 100000
await 20 at_least $((320 << 20)) use "$BEST_EFFORT" || void "best-effort holds $(($(use "$BEST_EFFORT") >> 20)) MB"
start "$PRODUCTION" idle 120
at_most() { [ "$("${@:2}")" -le "$1" ]; } # bytes command...: the command echoes a number
await 10 at_most $(((NODE_MB - 120 - 14) << 20)) use "$BEST_EFFORT" || fail "best-effort still holds $(($(use "$BEST_EFFORT") >> 20)) MB; $(tail -1 "$FILES/limit.out")"
expect_alive "$PRODUCTION" production
expect_alive "$BEST_EFFORT" "best-effort, which holds nothing but page cache,"
sleep 1.1
expect_short_writes
steps=$(reported sum steps) interrupted=$(reported sum interruptedSteps)

# The tool is killed: the limit stays, and the next tool starts from it.
kill -9 "$TOOL"
gone() { ! kill -0 "$TOOL" 2>/dev/null; }
await 5 gone || fail "the tool does not die"
stayed=$(limit_of)
[ "$stayed" -le $(((NODE_MB - 120) << 20)) ] || fail "$((stayed >> 20)) MB stayed"
kill -9 "$SENDER" 2>/dev/null
start_limit
grep -q "\"event\":\"ready\",\"cgroupVersion\":[12],\"limitBytes\":$stayed," "$FILES/limit.out" ||
  fail "$stayed was not adopted: $(head -1 "$FILES/limit.out")"
[ "$(limit_of)" -le "$stayed" ] || fail "it was raised from $stayed to $(limit_of)"

# The NodeManager is silent: production grows, and the limit still falls.
kill -STOP "$SENDER"
sleep 3.5
start "$PRODUCTION" idle 60
await 10 at_most $(((NODE_MB - 180) << 20)) limit_of || fail "without the NodeManager it stays at $(($(limit_of) >> 20)) MB"
await 5 grep -q '"silent":true' "$FILES/limit.out" || fail "it does not report the missing input"
expect_alive "$PRODUCTION" production
kill -CONT "$SENDER"

# A shortage that page cache does not cover is reported, and no container is killed for it: that is the
# NodeManager's decision.
end_best_effort
start "$BEST_EFFORT/task" idle 150
expect_grown 150
start "$PRODUCTION" idle 60
await 10 grep -q '"uncoveredMillis":[1-9][0-9][0-9]' "$FILES/limit.out" || fail "no shortage is reported: $(tail -1 "$FILES/limit.out")"
expect_alive "$BEST_EFFORT" best-effort
expect_alive "$PRODUCTION" production

# Where the limit is not enforced, such a shortage may last for ever: it is in the report of each second, and there are
# no others.
stop_limit
ENFORCE=0
start_limit
await 5 grep -q '"uncoveredMillis":[1-9][0-9][0-9]' "$FILES/limit.out" || fail "no shortage is reported: $(tail -1 "$FILES/limit.out")"
reports() { grep -c '"event":"limit"' "$FILES/limit.out"; }
earlier=$(reports)
sleep 2
most=$(($(reports) - earlier))
[ $most -le 4 ] || fail "$most reports in 2 s"
stop_limit
ENFORCE=1
start_limit
end_best_effort

# Little is free, and best-effort holds more than it may: it is frozen until production has ended, or for ten seconds.
hierarchy=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
freezes=no
if mkdir -p "$hierarchy/$(basename "$DOMAIN")" 2>/dev/null && [ -e "$hierarchy/$(basename "$DOMAIN")/cgroup.freeze" ]; then
  freezes=yes
  stop_limit
  kill_cgroup "$PRODUCTION"
  mkdir -p "$PRODUCTION"
  FREEZER=$BEST_EFFORT RESERVE=$((120 << 20))
  [ "$UNIFIED" = 1 ] || { FREEZER=$hierarchy/$(basename "$DOMAIN") && DOMAINS+=("$FREEZER"); }
  "$UA" memory-limit remove --cgroup "$BEST_EFFORT" --boundary "$DOMAIN" || fail "remove failed"
  start_limit
  start "$BEST_EFFORT/task" idle 150
  expect_grown 150
  frozen() { grep -q "frozen $1" "$FREEZER/cgroup.events"; }
  [ "$UNIFIED" = 1 ] || while read -r p; do echo "$p" >"$FREEZER/cgroup.procs"; done <"$BEST_EFFORT/task/cgroup.procs"
  start "$PRODUCTION" idle 228
  await 10 frozen 1 || fail "it is not frozen: $(tail -1 "$FILES/limit.out")"
  kill_cgroup "$PRODUCTION"
  mkdir -p "$PRODUCTION"
  await 12 frozen 0 || fail "it stays frozen: $(tail -1 "$FILES/limit.out")"
  expect_alive "$BEST_EFFORT" best-effort
  end_best_effort
fi

# v1: whether swap counts against the limit changes at once, although the limit itself does not move.
if [ -e "$BEST_EFFORT/memory.memsw.limit_in_bytes" ]; then
  both_of() { cat "$BEST_EFFORT/memory.memsw.limit_in_bytes"; }
  counts() { [ "$(both_of)" = "$(limit_of)" ]; }
  stop_limit
  SWAP_LIMIT=0
  start_limit
  await 2 counts || fail "memory has a limit of $(limit_of), with swap $(both_of)"
  stop_limit
  SWAP_LIMIT=$((1 << 50))
  start_limit
  await 2 at_least $((1 << 60)) both_of || fail "swap still counts: $(both_of)"
  SWAP_LIMIT=
fi

# An interrupted write leaves the old limit. There always is more to reclaim, and some memory that cannot be
# reclaimed.
if [ "$UNIFIED" = 0 ]; then
  stop_limit
  "$UA" memory-limit remove --cgroup "$BEST_EFFORT" --boundary "$DOMAIN" --limit-bytes $((200 << 20)) || fail "remove failed"
  start "$BEST_EFFORT/task" idle 60
  start "$BEST_EFFORT/task" stream "$FILES/stream" 100000
  expect_grown 60
  held=$(limit_of)
  timeout -s TERM 0.3 bash -c "echo 4096 >'$BEST_EFFORT/$LIMIT'" 2>/dev/null
  [ "$(limit_of)" = "$held" ] || fail "an interrupted write left $(limit_of) of $held"
else
  stop_limit
fi

"$UA" memory-limit remove --cgroup "$BEST_EFFORT" --boundary "$DOMAIN" --limit-bytes $((300 << 20)) || fail "remove failed"
[ "$(limit_of)" = $((300 << 20)) ] || fail "after remove it is $(limit_of)"
"$UA" memory-limit remove --cgroup "$BEST_EFFORT" --boundary "$DOMAIN" || fail "remove failed"
[ "$(limit_of)" = "$before" ] || fail "after remove it is $(limit_of)"
pass "longest write of the sampling thread $clamp us, $steps steps, $interrupted interrupted, freezes: $freezes"
