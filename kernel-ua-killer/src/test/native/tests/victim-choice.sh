# The container with the largest memory per second of execution time is killed, or the one with the highest score; the policy changes at run time.
# shellcheck shell=bash
begin 160 800
load
ua set cgth-time-ms 1000
a_dead() { dead "$1" || dead "$2"; } # so that the wrong one is a wrong death, and no reason to try again
production=$(container production)
watched "$production"
old=$(container old-large)
young=$(container young-small)
best_effort "$old" 100 100000
best_effort "$young" 50 1000
start "$old" idle 60
start "$young" idle 25
start "$production" anonymous 220 1
await 10 a_dead "$young" "$old" || fail "no container died; $(state)"
expect_alive "$old" "the old container"
ua set cgth-time-ms 0 # until the third one is there
third=$(container third)
best_effort "$third" 50 1000
start "$third" idle 25
ua set policy score
ua set cgth-time-ms 1000
await 10 a_dead "$old" "$third" || fail "no container died by score; $(state)"
expect_alive "$third" "the lower score"
expect_alive "$production" production
pass "$(ua watch --since 0 --count 2 | grep -c rank) ranked candidates in two decisions"
