# A container's cgroup is removed and made again under the same name: new samples, new age, and no kill for the old one's thrash.
begin 128 600
load
ua set cgth-time-ms 2000
path=$(container app)
best_effort "$path" 500 100000
old=$(stat -c %i "$path")
start "$path" anonymous 220 1
sleep 1.5 # three quarters of cgth_time
samples=$(ua samples "$path" | wc -l)
[ "$samples" -gt 3 ] || fail "the old container has no samples; $(state)"
[ "$(kills)" = 0 ] || fail "killed before cgth_time"
kill_cgroup "$path"
ua unregister "$old" || fail "cannot unregister the old container"
container app >/dev/null
[ "$(stat -c %i "$path")" != "$old" ] || fail "the kernel used the number again"
best_effort "$path" 500 0
ua samples "$path" 2>/dev/null && fail "the new container has samples before it lived"
start "$path" idle 40
# The kernel reclaims without anybody thrashing.
"$WORK" create "$FILES/stream" 900
start "$(container streaming)" stream "$FILES/stream" 2
sleep 3
expect_alive "$path" "the new container"
[ "$(kills)" = 0 ] || fail "$(kills) kills for the old container's thrash"
first=$(ua samples "$path" | sed -n 2p) || fail "the new container is not sampled"
awk -v line="$first" 'BEGIN { split(line, f); exit !(f[2] < 1000) }' || fail "the new container begins with $first"
kill_cgroup "$DOMAIN/streaming"
start "$path" anonymous 220 1
wait_dead "$path" 8 || fail "the new container's own thrash is not seen; $(state)"
expect_streak 2.0
awk -v age="$(decision ageSeconds)" 'BEGIN { exit !(age < 30) }' || fail "it died at the age of $(decision ageSeconds) s"
pass "died at the age of $(decision ageSeconds) s; $(numbers)"
