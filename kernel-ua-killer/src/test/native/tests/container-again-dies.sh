# A container created again with the name of one that thrashed is killed for its own thrash, at its own age.
# shellcheck shell=bash
# long
begin 128 600
load
ua set cgth-time-ms 1500
path=$(container app)
best_effort "$path" 500 100000
old=$(stat -c %i "$path")
start "$path" anonymous 220 1
sleep 0.7 # half of cgth_time
kill_cgroup "$path"
expect_kills 0
ua unregister "$old" || fail "cannot unregister the old container"
container app >/dev/null
best_effort "$path" 500 0
start "$path" anonymous 220 1
wait_dead "$path" 8 || fail "the new container's own thrash is not seen; $(state)"
expect_streak 1.5
awk -v age="$(decision ageSeconds)" 'BEGIN { exit !(age < 30) }' || fail "it died at the age of $(decision ageSeconds) s"
pass "died at the age of $(decision ageSeconds) s; $(numbers)"
