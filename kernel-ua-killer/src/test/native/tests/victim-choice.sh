# The container with the largest memory per second of execution time is killed, or the one with the highest score; the policy changes at run time.
# shellcheck shell=bash
begin 160 800
load
ua set cgth-time-ms 1000
production=$(container production)
watched "$production"
old=$(container old-large)
young=$(container young-small)
best_effort "$old" 100 100000
best_effort "$young" 50 1000
start "$old" idle 60
start "$young" idle 25
start "$production" anonymous 220 1
wait_dead "$young" 10 || fail "the younger one did not die first; $(state)"
expect_alive "$old" "the old container"
ua set cgth-time-ms 0 # until the third one is there
third=$(container third)
best_effort "$third" 50 1000
start "$third" idle 25
ua set policy score
ua set cgth-time-ms 1000
wait_dead "$old" 10 || fail "the higher score did not die first; $(state)"
expect_alive "$third" "the lower score"
expect_alive "$production" production
pass "$(ua watch --since 0 --count 2 | grep -c rank) ranked candidates in two decisions"
