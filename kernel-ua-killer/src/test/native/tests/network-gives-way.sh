# Best-effort has its rate, next to nothing while the foreground fills the link, and its rate again.
# shellcheck shell=bash
# long
# shellcheck source=kernel-ua-killer/src/test/native/network.sh
. "$HERE/network.sh"
network_begin
before=$(everything)
link=12500000 rate=10000000
network limit --cgroup "$BEST_EFFORT" --rate $rate --give-way-on $link >/dev/null || fail "cannot limit"
[ "$(shown givesWayBytesPerSecond)" = $link ] || fail "it gives way at $(shown givesWayBytesPerSecond)"
per_second() { # seconds
  local old start
  old=$(shown bestEffortBytes) start=$(now_ms)
  sleep "$1"
  echo $((($(shown bestEffortBytes) - old) * 1000 / ($(now_ms) - start)))
}
send "$BEST_EFFORT/container" 5001
sleep 1
alone=$(per_second 1)
[ "$alone" -ge $((rate / 4)) ] || fail "alone, best-effort sends only $alone bytes/s of $rate"
[ "$alone" -le $((rate * 115 / 100)) ] || fail "alone, best-effort sends $alone bytes/s, more than its rate"
send "$FOREGROUND" 5002
sleep 1
beside=$(per_second 2)
[ "$beside" -le 500000 ] || fail "beside a foreground that fills the link, best-effort sends $beside bytes/s"
[ "$beside" -gt 0 ] || fail "beside the foreground, best-effort starves"
while read -r pid; do kill -9 "$pid"; done <"$FOREGROUND/cgroup.procs"
for _ in $(seq 20); do # a sender that lost much waits before it tries again
  after=$(per_second 1)
  [ "$after" -lt $((rate / 4)) ] || break
done
[ "$after" -ge $((rate / 4)) ] || fail "after the foreground, best-effort sends only $after bytes/s"
network limit --cgroup "$BEST_EFFORT" --rate 5000000 --give-way-on $link >/dev/null || fail "cannot change the rate"
[ "$(shown rateBytesPerSecond)" = 5000000 ] || fail "rate $(shown rateBytesPerSecond)"
# Another link, no yielding, another rate: each replaces the previous limit.
network limit --cgroup "$BEST_EFFORT" --rate 1000000 --give-way-on 25000000 >/dev/null || fail "cannot change the link"
[ "$(shown givesWayBytesPerSecond)" = 25000000 ] || fail "after a change it gives way at $(shown givesWayBytesPerSecond)"
limit 2000000 >/dev/null || fail "cannot end it"
[ "$(shown givesWayBytesPerSecond)" = 0 ] || fail "it still gives way"
network clear >/dev/null || fail "cannot clear"
[ "$(everything)" = "$before" ] || fail "after clear: $(diff <(echo "$before") <(everything))"
pass "best-effort $((alone / 1000)) kB/s alone, $((beside / 1000)) beside the foreground, $((after / 1000)) after it"
