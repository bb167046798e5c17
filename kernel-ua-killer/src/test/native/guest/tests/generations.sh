# If the kernel evicts by generations (MGLRU), thrash is detected as usual, load and status report MGLRU, and production stays.
# shellcheck shell=bash
GENERATIONS=/sys/kernel/mm/lru_gen/enabled
[ -w $GENERATIONS ] || skip "this kernel has no MGLRU"
begin 64 200
echo y >$GENERATIONS
[ $(($(cat $GENERATIONS) & 1)) = 1 ] || skip "MGLRU cannot be switched on"
mkdir -p "$BPFFS"
out=$(ua load) || fail "load failed"
[[ $out = *MGLRU* ]] || fail "load does not report it: $out"
ua --json domain add "$DOMAIN" --killable-below "$DOMAIN" || fail "cannot add the domain"
start_helper
[ "$(json multiGenerationalLru)" = true ] || fail "status does not report it"
victim=$(container best-effort)
production=$(container production)
best_effort "$victim"
watched "$production"
start "$production" idle 10
start "$victim" anonymous 100 1
wait_dead "$victim" 30 || fail "alive after 30 s; $(state)"
expect_alive "$production" production
expect_kills 1
expect_streak 3.0
echo n >$GENERATIONS
[ "$(json multiGenerationalLru)" = false ] || fail "status reports it while it is off"
pass "$(numbers)"
