# A decision made while no helper ran, and not carried out, kills no container once a helper runs: that shortage has ended. The next shortage is ended.
# shellcheck shell=bash
# must never
begin 128 600
load --tier 2 # the kernel decides, the helper kills
ua set cgth-time-ms 500
ua set victim-timeout-ms 100
innocent=$(container innocent)
best_effort "$innocent"
start "$innocent" idle 20
production=$(container production)
watched "$production"
start "$production" anonymous 220 1
await 30 at_least 1 kills || fail "without a helper nothing is decided; $(state)"
kill_cgroup "$production"
sleep 1.2 # the time within which a decision may be carried out
start_helper
# The helper has read the waiting events, and carried them out or not.
read_all() { grep -q "ignoring a request" "$FILES/helper.log" || dead "$innocent"; }
await 10 read_all || fail "the helper does not read what waited for it: $(cat "$FILES/helper.log")"
expect_alive "$innocent" "the container of the stale decision"
[ "$(json survivors)" = 0 ] || fail "$(json survivors) survivors of kills that were not carried out"
production=$(container production)
watched "$production"
start "$production" anonymous 220 1
wait_dead "$innocent" 20 || fail "with a helper no container is killed for the next shortage; $(state)"
expect_alive "$production" production
[ "$(decision executor)" = helper ] || fail "killed by $(decision executor)"
pass "$(sed -n 's/.*helper \([0-9]* ms\) ago.*/what had waited \1 was left alone/p' "$FILES/helper.log" | head -1); then $(numbers)"
