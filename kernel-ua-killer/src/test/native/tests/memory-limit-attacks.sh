# Production keeps its memory next to best-effort that grows, streams a file, reads at random or writes, by the moving limit alone.
# shellcheck shell=bash
# must never
# shellcheck source=kernel-ua-killer/src/test/native/limit.sh
. "$HERE/limit.sh"
limit_begin
millis=${UA_LONG:+30000}
millis=${millis:-2500}
for file in production:200 stream:600; do "$WORK" create "$FILES/${file%:*}" "${file#*:}" || fail "no file"; done
start_limit
run_in "$PRODUCTION" "$WORK" stream "$FILES/production" 1 || fail "production does not warm up"
await 20 dead "$PRODUCTION" || fail "production does not warm up"
run_in "$PRODUCTION" "$WORK" work-mapped "$FILES/production" 200 20 200 >"$FILES/speed" 2>&1 || fail "production does not start"
warm() { [ "$(use "$PRODUCTION")" -ge $((196 << 20)) ] && [ "$(wc -l <"$FILES/speed")" -ge 10 ]; }
await 20 warm || fail "production does not get warm: it holds $(($(use "$PRODUCTION") >> 20)) MB"
sleep 1 # one line of the process that acts as the NodeManager
# Touches per microsecond in which production did not wait for a processor, from line $1 on; and the slowest interval.
speed() {
  tail -n +"$1" "$FILES/speed" | awk '{ if (n) { time = ($4 - nanos) - ($6 - waited); rate = ($2 - touches) * 1000 / time
      total += $2 - touches; all += time; if (n == 1 || rate < least) least = rate; if (rate < half) slow += time }
      n++; touches = $2; nanos = $4; waited = $6 } END { printf "%.2f %.2f %.1f", total * 1000 / all, least, slow / 1e9 }' half="${2:-0}"
}
read -r alone _ <<<"$(speed 1)"
half=$(awk -v a="$alone" 'BEGIN { print a / 2 }')
# Measures from the moment in which best-effort holds 64 MB; below that, nothing has attacked.
attack() { # name command...
  local name=$1 least most=0 most_limit=0 used limit now end held='' from rate lowest slow
  shift
  from=$(wc -l <"$FILES/speed")
  least=$(use "$PRODUCTION")
  run_in "$BEST_EFFORT/task" "$@" >/dev/null 2>&1 || fail "$name does not start"
  end=$((${EPOCHREALTIME//[!0-9]/} + 20000000))
  while now=${EPOCHREALTIME//[!0-9]/} && [ "$now" -lt $end ]; do
    read -r used <"$PRODUCTION/$USE"
    [ "$used" -ge "$least" ] || least=$used
    read -r used <"$BEST_EFFORT/$USE"
    [ "$used" -le "$most" ] || most=$used
    [ -n "$held" ] || [ "$most" -lt $((64 << 20)) ] || held=1 end=$((now + 1000 * millis))
    read -r limit <"$BEST_EFFORT/$LIMIT"
    [ "$limit" -le "$most_limit" ] || most_limit=$limit
    sleep 0.02
  done
  expect_alive "$PRODUCTION" production
  read -r rate lowest slow <<<"$(speed "$from" "$half")"
  kill -0 "$TOOL" 2>/dev/null || fail "$name: the tool has ended: $(tail -1 "$FILES/limit.err")"
  [ "$least" -ge $((ENTITLEMENT * 95 / 100)) ] ||
    fail "$name: production held $((least >> 20)) MB, its entitlement is $((ENTITLEMENT >> 20)); last report: $(tail -1 "$FILES/limit.out")"
  # What production and the reserve leave, and the margin that the limit permits in addition.
  [ "$most_limit" -le $(((NODE_MB << 20) - least - RESERVE + (8 << 20))) ] ||
    fail "$name: best-effort was allowed $((most_limit >> 20)) MB beside production's $((least >> 20))"
  [ -n "$held" ] || void "$name: best-effort held only $((most >> 20)) MB"
  report="$report; $name: production at least $((least >> 20)) MB, $rate touches/us of $alone alone, slowest $lowest, $slow s below half;"
  report="$report best-effort at most $((most >> 20)) of $((limit >> 20)) MB"
  end_best_effort
}
attack grower "$WORK" anonymous 300 1
attack stream "$WORK" stream "$FILES/stream" 1000000
attack random "$WORK" file "$FILES/stream" 380 1
attack writer bash -c "while :; do '$WORK' create '$FILES/written' 300; done"
expect_alive "$PRODUCTION" production
tool=$(ps -o cputimes= -p "$TOOL" 2>/dev/null || echo 0)
stop_limit
[ "$(cat "$BEST_EFFORT/$LIMIT")" -lt $((NODE_MB << 20)) ] || fail "the limit did not stay"
"$UA" memory-limit remove --cgroup "$BEST_EFFORT" --boundary "$DOMAIN" || fail "remove failed"
[ "$(cat "$BEST_EFFORT/$LIMIT")" = max ] || [ "$(cat "$BEST_EFFORT/$LIMIT")" -gt $((1 << 60)) ] || fail "the limit is still there"
numbers="clamps at most $(reported max longestClampMicros) us, samples $(reported sum samples) at most $(reported max longestSampleMicros) us,"
numbers="$numbers gap at most $(reported max longestGapMicros) us, steps $(reported sum steps), tool ${tool// /} s CPU"
pass "$numbers$report"
