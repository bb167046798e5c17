# A victim that does not exit does not delay another domain's: its end is recorded while the helper still observes the first one.
# shellcheck shell=bash
[ -d /sys/fs/cgroup/freezer ] || skip "no cgroup v1 freezer: on v2 a frozen process dies"
begin 128 900
FREEZER=/sys/fs/cgroup/freezer/charon-ua-test-$$
SETTLE_MS=5000 # how long the helper observes a victim
thaw() {
  echo THAWED >"$FREEZER/freezer.state"
  cleanup
  rmdir "$FREEZER"
}
mkdir "$FREEZER" || skip "the freezer refuses a cgroup"
trap thaw EXIT
load
start_helper
ua set cgth-time-ms 200
ua set victim-timeout-ms 60000 # no other container is killed instead
other=$MEMORY/charon-ua-test-$$-b
DOMAINS+=("$other")
make_domain "$other" 128
ua --json domain add "$other" --killable-below "$other" || fail "cannot add a second domain"
ua set cgth-time-ms 0 --domain "$other" # thrash there waits for its kill
frozen=$(container frozen) production=$(container production)
best_effort "$frozen" 900 1000
watched "$production"
mkdir "$other/victim"
ua register "$other/victim" --domain "$other" --score 500 || fail "cannot register"
start "$frozen" idle 60
cat "$frozen/cgroup.procs" >"$FREEZER/cgroup.procs"
echo FROZEN >"$FREEZER/freezer.state"
start "$other/victim" anonymous 220 1
counted() { ua samples "$other/victim" 2>/dev/null | grep -c yes; }
await 20 at_least 10 counted || fail "no pass counts in the other domain; $(state)"
start "$production" anonymous 220 1
await 20 at_least 1 kills || fail "the frozen victim is not chosen; $(state)"
first=$(ua --json watch --since 0 --count 1 | value monotonicNanos)
ua set cgth-time-ms 200 --domain "$other"
wait_dead "$other/victim" 20 || fail "the other domain's victim is alive; $(state)"
gone() { ua --json watch --since 1 --count 1 | value decisionToGoneMillis; }
came() { [[ $(gone) = [0-9]* ]]; }
await 15 came || fail "the end of the other domain's victim was not recorded; $(state)"
second=$(ua --json watch --since 1 --count 1)
[ "$(value victim <<<"$second")" = "$other/victim" ] || fail "the second victim is $(value victim <<<"$second")"
between=$((($(value monotonicNanos <<<"$second") - first) / 1000000))
expect_alive "$frozen" "the frozen victim"
expect_alive "$production" production
[ $between -lt $((SETTLE_MS - 1000)) ] || fail "the second decision came $between ms after the first: too late to be conclusive"
awk -v gone="$(gone)" -v between=$between -v settle=$SETTLE_MS 'BEGIN { exit !(gone + between < settle - 500) }' ||
  fail "the other domain's victim waited for the frozen one: gone after $(gone) ms, decided $between ms after the first"
pass "decided $between ms after the first, gone $(gone) ms after that"
