# Best-effort is held to its rate, the foreground is not, every byte is counted; clear restores the previous state.
# shellcheck shell=bash
# shellcheck source=kernel-ua-killer/src/test/native/network.sh
. "$HERE/network.sh"
network_begin
before=$(everything)
limit 1250000 >/dev/null || fail "cannot limit"
send "$BEST_EFFORT/container" 5001
send "$FOREGROUND" 5002
await 10 at_least 1 shown bestEffortBytes || fail "best-effort sends nothing"
await 10 at_least 1 shown foregroundBytes || fail "the foreground sends nothing"
old=$(shown bestEffortBytes) foreground=$(shown foregroundBytes)
start=$(now_ms)
sleep 1
sent=$(($(shown bestEffortBytes) - old))
millis=$(($(now_ms) - start))
foreground=$(($(shown foregroundBytes) - foreground))
# The burst of the bucket, and the error of the machine's clock.
[ "$sent" -le $((1250 * millis * 115 / 100 + 100000)) ] || fail "best-effort sent $sent bytes in $millis ms"
[ "$sent" -ge $((1250 * millis * 4 / 10)) ] || fail "best-effort sent only $sent bytes in $millis ms"
[ "$foreground" -ge $((5 * sent)) ] || fail "the foreground sent $foreground bytes, best-effort $sent"
# A new rate applies to the existing connection.
limit 12500000 >/dev/null || fail "cannot change the rate"
[ "$(shown rateBytesPerSecond)" = 12500000 ] || fail "rate $(shown rateBytesPerSecond)"
old=$(shown bestEffortBytes)
start=$(now_ms)
sleep 1
new=$(($(shown bestEffortBytes) - old))
millis=$(($(now_ms) - start))
[ $((new / millis)) -ge 2500 ] || fail "at 12.5 MB/s best-effort sent $new bytes in $millis ms"
[ $((new / millis)) -le 15000 ] || fail "at 12.5 MB/s best-effort sent $new bytes in $millis ms"
# The counts equal the bytes received, plus headers (66 bytes on 1448) and retransmissions.
for cgroup in "$BEST_EFFORT/container" "$FOREGROUND"; do
  while read -r pid; do kill -9 "$pid"; done <"$cgroup/cgroup.procs"
done
wait "${RECEIVERS[@]}"
best=$(cat "/tmp/$NODE.5001") other=$(cat "/tmp/$NODE.5002")
counted=$(shown bestEffortBytes)
[[ $counted -ge $best && $counted -le $((best * 115 / 100 + 100000)) ]] ||
  fail "best-effort: $counted bytes counted, $best arrived"
counted=$(shown foregroundBytes)
[[ $counted -ge $other && $counted -le $((other * 115 / 100 + 100000)) ]] ||
  fail "foreground: $counted bytes counted, $other arrived"
# The ends of the connections may still be in transit.
sums_up() { [ $(($(shown bestEffortBytes) + $(shown foregroundBytes))) = "$(shown sentBytes)" ]; }
await 5 sums_up || fail "the sum is not what the device sent"
network clear >/dev/null || fail "cannot clear"
[ "$(everything)" = "$before" ] || fail "after clear: $(diff <(echo "$before") <(everything))"
network clear >/dev/null || fail "clearing twice"
pass "best-effort $((sent / 1000)) kB, foreground $((foreground / 1000)) kB in 1 s at 1250 kB/s; then $((new / millis)) kB/s at 12500"
