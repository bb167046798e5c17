# A container's cgroup is removed and created again with the same name: it has no samples, and is not killed for the old one's thrash.
# shellcheck shell=bash
# must never
begin 128 600
load
ua set cgth-time-ms 60000
path=$(container app)
best_effort "$path" 500 100000
old=$(stat -c %i "$path")
start "$path" anonymous 220 1
samples() { ua samples "$path" 2>/dev/null | wc -l; }
await 20 at_least 12 samples || fail "the old container has no samples; $(state)"
kill_cgroup "$path"
ua unregister "$old" || fail "cannot unregister the old container"
container app >/dev/null
[ "$(stat -c %i "$path")" != "$old" ] || fail "the kernel used the number again"
ua set cgth-time-ms 1000
best_effort "$path" 500 0
ua samples "$path" 2>/dev/null && fail "the new container has samples from before its start"
start "$path" idle 40
# The kernel reclaims, but no container thrashes.
truncate -s 1T "$FILES/stream"
start "$(container streaming)" stream "$FILES/stream" 1
await 10 at_least 3 samples || fail "the new container is not sampled"
sleep 2 # twice cgth_time
expect_alive "$path" "the new container"
expect_kills 0
first=$(ua samples "$path" | sed -n 2p)
awk -v line="$first" 'BEGIN { split(line, f); exit !(f[2] < 1000) }' || fail "the new container begins with $first"
pass "$(samples) samples of the new container, the first: $first"
