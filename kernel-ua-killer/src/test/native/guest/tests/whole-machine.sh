# The whole machine is the domain (`domain add host`): it is short of memory, the thrasher is killed, production stays.
# shellcheck shell=bash
begin none 900
mkdir -p "$BPFFS"
ua load >/dev/null || fail "load failed"
ua --json domain add host --killable-below "$DOMAIN" || fail "cannot add the whole machine"
start_helper
ua set cgth-time-ms 2000
production=$(container production)
victim=$(container best-effort)
ua register "$production" --domain host || fail "cannot register production"
ua register "$victim" --domain host --score 500 || fail "cannot register the thrasher"
start "$production" idle 40
start "$victim" anonymous 520 1
wait_dead "$victim" 40 || fail "alive after 40 s; $(state)"
sleep 0.5
expect_alive "$production" production
expect_kills 1
pass "$(numbers)"
