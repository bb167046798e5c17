# A container at best-effort's limit that reads more files than fit below it is not killed while no other one wants memory, also beside an idle one: a kill would help nobody. It is once another one wants memory, or if its own anonymous memory leaves too little. In tiers 1 and 3.
# shellcheck shell=bash
# must never
held() { cat "$1/memory.usage_in_bytes" 2>/dev/null || cat "$1/memory.current"; } # cgroup
begin 384 0
"$WORK" create "$FILES/data" 160
for tier in 1 3; do
  load --tier "$tier"
  start_helper
  limit_best_effort 64
  ua set cgth-time-ms 1000
  idle=$(container "best-effort/idle-$tier")
  best_effort "$idle" 500 60000
  start "$idle" idle 10
  await 5 at_least $((10 << 20)) held "$idle" || fail "tier $tier: the idle container has no memory; $(state)"
  reader=$(container "best-effort/reader-$tier")
  best_effort "$reader"
  start "$reader" file "$FILES/data" 160 2
  await 15 at_least 3 json noCandidate || fail "tier $tier: no thrash is seen; $(state)"
  expect_alive "$reader" "tier $tier: the only container that wants memory"
  expect_kills 0
  other=$(container "best-effort/other-$tier")
  best_effort "$other" 500 60000
  start "$other" minor-faults 10 1000000
  wait_dead "$reader" 15 || fail "tier $tier: alive beside a container that wants memory; $(state)"
  await 5 at_least 1 kills || fail "tier $tier: no kill is recorded"
  expect_kills 1
  expect_alive "$other" "tier $tier: the container that does not thrash"
  expect_alive "$idle" "tier $tier: the idle container"
  [ "$(decision series)" = file ] || fail "tier $tier: series $(decision series)"
  report="$report tier $tier: $(numbers);"
  # The reader is gone, and so is the other container: one whose anonymous memory leaves too little for its files.
  kill_cgroup "$other"
  full=$(container "best-effort/full-$tier")
  best_effort "$full"
  start "$full" idle 40
  await 5 at_least $((40 << 20)) held "$full" || fail "tier $tier: the container has no memory; $(state)"
  start "$full" file "$FILES/data" 160 2
  wait_dead "$full" 15 || fail "tier $tier: alive although its anonymous memory fills the limit; $(state)"
  expect_kills 2
  expect_alive "$idle" "tier $tier: the idle container"
  kill "$HELPER"
  wait "$HELPER" 2>/dev/null
  kill_cgroup "$LIMITED"
  ua unload >/dev/null
done
pass "$report"
