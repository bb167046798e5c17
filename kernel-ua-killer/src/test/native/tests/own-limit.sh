# A container that thrashes at its own limit is no pressure of the node: no container is killed, neither it nor others.
# shellcheck shell=bash
# must never
begin 512 600
load
ua set cgth-time-ms 500
selfish=$(container selfish)
other=$(container other)
best_effort "$selfish"
best_effort "$other" 900 1000
set_limit "$selfish" 64
start "$other" idle 100
start "$selfish" anonymous 100 1
await 20 at_least 101 json ownLimitReclaims || fail "the limit was not seen: $(state)"
sleep 1.5 # three times cgth_time
expect_alive "$selfish" "the container at its own limit"
expect_alive "$other" "a bystander"
expect_kills 0
pass "$(json ownLimitReclaims) reclaims at its own limit, 0 kills"
