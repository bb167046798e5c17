# A cgroup that was removed and created again with the same name is another container, and is not killed instead of the old one.
# shellcheck shell=bash
# must never
begin 128 600
load
ua set cgth-time-ms 1000
old=$(container app)
best_effort "$old" 900 1000
old_id=$(stat -c %i "$old")
start "$old" idle 20
kill_cgroup "$old"
new=$(container app)
victim=$(container other)
[ "$(stat -c %i "$new")" != "$old_id" ] || fail "the kernel used the number again"
start "$new" idle 30
best_effort "$victim" 100 60000
start "$victim" anonymous 220 1
wait_dead "$victim" 20 || fail "the thrasher is alive; $(state)"
expect_alive "$new" "the unregistered container of the same name"
expect_kills 1
pass
