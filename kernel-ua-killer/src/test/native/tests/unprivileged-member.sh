# A member of the group who writes the maps himself can neither aim the killer outside the domain nor make domains.
# shellcheck shell=bash
# must never
command -v setpriv >/dev/null || skip "no setpriv (package util-linux)"
command -v bpftool >/dev/null || skip "no bpftool"
begin 128 600
load --group 65534
outside=$MEMORY/charon-ua-test-$$-outside
DOMAINS+=("$outside")
mkdir "$outside" || fail "cannot create $outside"
production=$(container production)
victim=$(container best-effort)
watched "$production"
member() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
bytes() { # number of that many bytes: little endian, as the maps hold them
  local i n=$1
  for ((i = 0; i < $2; i++)); do printf '%d ' $((n & 255)); n=$((n >> 8)); done
}
write_map() { # map key value, both as bytes
  # shellcheck disable=SC2086 # one word for each byte
  member bpftool map update pinned "$BPFFS/charon/$1" key $2 value $3 >"$FILES/bpftool" 2>&1
}
[ "$(printf '\1\0' | od -An -tu2 | tr -d ' ')" = 1 ] || skip "this test writes little endian"
ua set cgth-time-ms 1000
# shellcheck disable=SC2153 # not DOMAINS
domain=$(stat -c %i "$DOMAIN")
stranger=$(stat -c %i "$outside")
start "$outside" idle 60
member "$UA" --bpffs "$BPFFS" register "$victim" --domain "$DOMAIN" --score 1 --age-ms 90000 ||
  fail "a member cannot register a container of the domain"
member "$UA" --bpffs "$BPFFS" register "$outside" --domain "$DOMAIN" --score 1000 2>/dev/null &&
  fail "a member registered a foreign container"
# struct ua_container: domain, start, score, flags (killable).
write_map containers "$(bytes "$stranger" 8)" "$(bytes "$domain" 8)$(bytes 1 8)$(bytes 1000 4)$(bytes 1 4)" ||
  skip "a member cannot write the map by hand: $(head -1 "$FILES/bpftool")"
for map in domains domain_state container_state control decisions; do
  write_map $map "$(bytes "$stranger" 8)" 0 && fail "a member wrote the map $map"
  grep -qi "not permitted\|permission denied" "$FILES/bpftool" || fail "$map: $(cat "$FILES/bpftool")"
done
start "$victim" idle 30
start "$production" anonymous 220 1
wait_dead "$victim" 20 || fail "the registered victim lives; $(state)"
await 10 at_least 1 json noCandidate || fail "production thrashed no more: the test is void; $(state)"
expect_alive "$outside" "a container outside the domain"
expect_alive "$production" production
expect_kills 1
[ "$(decision candidates)" = 1 ] || fail "$(decision candidates) candidates: the stranger was ranked"
pass "$(json noCandidate) times no candidate, the stranger alive"
