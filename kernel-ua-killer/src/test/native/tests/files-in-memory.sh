# A container that holds a file in memory, which its death would not free, is not killed for it: tier 1, with --all also 2. (Tier 3 does not find this thrash.)
# shellcheck shell=bash
begin 128 0
"$WORK" create "$FILES/data" 70 || fail "no file"
for tier in 1 ${UA_LONG:+2}; do
  load --tier "$tier"
  start_helper
  ua set cgth-time-ms 1500
  production=$(container "production-$tier")
  keeper=$(container "keeper-$tier")
  holder=$(container "holder-$tier")
  watched "$production"
  best_effort "$keeper" 500 60000
  best_effort "$holder" 500 60000
  # The file exists as long as somebody has opened it: this shell.
  exec 9<>"/dev/shm/${DOMAIN##*/}-$tier"
  rm "/dev/shm/${DOMAIN##*/}-$tier"
  run_in "$keeper" bash -c 'head -c 50M /dev/zero >&9; exec sleep 300' >/dev/null 2>&1 || fail "nobody writes"
  await 10 at_least $((50 << 20)) stat -L -c %s /proc/$$/fd/9 || void "the file has $(stat -L -c %s /proc/$$/fd/9) bytes"
  start "$holder" idle 30
  start "$production" file "$FILES/data" 70 2
  wait_dead "$holder" 15 || fail "tier $tier: alive; $(state)"
  expect_alive "$keeper" "the container with the file in memory"
  expect_alive "$production" production
  report="$report tier $tier: $(numbers);"
  kill "$HELPER"
  wait "$HELPER" 2>/dev/null
  kill_cgroup "$production"
  kill_cgroup "$keeper"
  exec 9>&-
  ua unload >/dev/null
done
pass "$report"
