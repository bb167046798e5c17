# Tier 3, whose helper has real-time priority, leaves the processors to others however many containers it reads, and respects root's limits whatever is written.
# shellcheck shell=bash
command -v bpftool >/dev/null || skip "no bpftool"
[ "$(printf '\1\0' | od -An -tu2 | tr -d ' ')" = 1 ] || skip "this test writes little endian"
CONTAINERS=150 MAX_PERCENT=20 # it rests nine tenths of the time; its work between passes is added
begin 256 600
load --tier 3 --period-ms 10
ua --json domain add "$DOMAIN" --killable-below "$DOMAIN" --min-cgth-ms 1500 || fail "root cannot set limits"
start_helper
for ((i = 1; i <= CONTAINERS; i++)); do
  quiet=$(container "quiet-$i")
  watched "$quiet"
done
ticks() { awk '{ print $14 + $15 }' "/proc/$HELPER/stat"; } # of all threads
first=$(container first) victim=$(container victim)
best_effort "$first"
ua set cgth-time-ms 0 # sampled, but not killed
start "$first" anonymous 350 1
samples() { ua samples "$first" 2>/dev/null | grep -c yes; }
await 20 at_least 3 samples || fail "no pass counts; $(state)"
began=$(now_ms) before=$(ticks)
sleep 3
took=$(($(now_ms) - began)) used=$((($(ticks) - before) * 1000 / $(getconf CLK_TCK)))
percent=$((100 * used / took))
[ $used -gt 0 ] || fail "the helper does nothing; $(state)"
[ $percent -le $MAX_PERCENT ] || fail "the helper took $percent % of a processor with $CONTAINERS containers, more than $MAX_PERCENT %"
bytes() { # number length: the number in that many bytes
  local i n=$1
  for ((i = 0; i < $2; i++)); do printf '%d ' $((n & 255)); n=$((n >> 8)); done
}
# struct ua_settings with a tolerance of 1 ms, as an attacker with access to the map would write it.
# shellcheck disable=SC2046,SC2153 # one word for each byte; not DOMAINS
bpftool map update pinned "$BPFFS/charon/settings" key $(bytes "$(stat -c %i "$DOMAIN")" 8) value \
  $(for number in 1 1000 10 0 2 2000 0 1 10 0; do bytes $number 4; done) >"$FILES/bpftool" 2>&1 ||
  fail "the map cannot be written by hand: $(head -1 "$FILES/bpftool")"
kill_cgroup "$first"
best_effort "$victim"
start "$victim" anonymous 350 1
wait_dead "$victim" 30 || fail "alive; $(state)"
[ "$(decision cgthTimeSeconds)" = 1.500 ] || fail "a tolerance of $(decision cgthTimeSeconds) s, below root's limit"
expect_streak 1.5
pass "$percent % of a processor with $CONTAINERS containers; $(numbers)"
