# A container that thrashes at its own limit is no pressure of the node: nobody dies, neither it nor others.
begin 512 600
load
ua set cgth-time-ms 1000
selfish=$(container selfish)
other=$(container other)
best_effort "$selfish"
best_effort "$other" 900 1000
set_limit "$selfish" 64
start "$other" idle 100
start "$selfish" anonymous 100 1
sleep 6
expect_alive "$selfish" "the container at its own limit"
expect_alive "$other" "a bystander"
[ "$(json ownLimitReclaims)" -gt 100 ] || fail "the limit was not seen: $(state)"
pass "$(json ownLimitReclaims) reclaims at its own limit, 0 kills"
