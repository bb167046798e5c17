# Thrash in one domain kills no container in the other, however attractive a victim there would be.
# shellcheck shell=bash
# must never
begin 128 800
load
other=$MEMORY/charon-ua-test-$$-b
DOMAINS+=("$other")
make_domain "$other" 512
ua --json domain add "$other" --killable-below "$other" || fail "cannot add a second domain"
ua set cgth-time-ms 1000
victim=$(container best-effort)
best_effort "$victim" 100 60000
mkdir "$other/large"
ua register "$other/large" --domain "$other" --score 1000 --age-ms 10 || fail "cannot register"
# shellcheck disable=SC2153 # not DOMAINS
ua register "$other/large" --domain "$DOMAIN" --score 1000 2>/dev/null && fail "a foreign container was registered"
start "$other/large" idle 250
start "$victim" anonymous 220 1
wait_dead "$victim" 20 || fail "the thrasher is alive; $(state)"
expect_alive "$other/large" "the other domain's container"
pass "$(numbers)"
