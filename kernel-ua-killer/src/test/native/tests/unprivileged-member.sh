# A member of the group reaches no map, and registrations written by hand do not direct the killer outside of the domain.
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
bytes() { # number length: the number in that many bytes, little endian, as the maps hold it
  local i n=$1
  for ((i = 0; i < $2; i++)); do printf '%d ' $((n & 255)); n=$((n >> 8)); done
}
write_map() { # map key value command...: key and value as bytes; the command selects the user
  # shellcheck disable=SC2086 # one word for each byte
  "${@:4}" bpftool map update pinned "$BPFFS/charon/$1" key $2 value $3 >"$FILES/bpftool" 2>&1
}
[ "$(printf '\1\0' | od -An -tu2 | tr -d ' ')" = 1 ] || skip "this test writes little endian"
ua set cgth-time-ms 1000
# shellcheck disable=SC2153 # not DOMAINS
domain=$(stat -c %i "$DOMAIN")
stranger=$(stat -c %i "$outside")
start "$outside" idle 60
# struct ua_container: domain, start, score, flags (killable), entitled.
registration="$(bytes "$domain" 8)$(bytes 1 8)$(bytes 1000 4)$(bytes 1 4)$(bytes 0 8)"
refused 4 "permission denied" member "$UA" --bpffs "$BPFFS" register "$victim" --domain "$DOMAIN" --score 1
refused 4 "permission denied" member "$UA" --bpffs "$BPFFS" set cgth-time-ms 0
for pin in "$BPFFS"/charon/*; do
  write_map "$(basename "$pin")" "$(bytes "$stranger" 8)" "$registration" member && fail "a member wrote $pin"
  grep -qi "not permitted\|permission denied\|not in bpf file system" "$FILES/bpftool" || fail "$pin: $(cat "$FILES/bpftool")"
done
write_map containers "$(bytes "$stranger" 8)" "$registration" || fail "root writes no map: $(cat "$FILES/bpftool")"
best_effort "$victim" 1 90000
start "$victim" idle 30
start "$production" anonymous 220 1
wait_dead "$victim" 20 || fail "the registered victim is alive; $(state)"
await 10 at_least 1 json noCandidate || void "production thrashed no more; $(state)"
expect_alive "$outside" "a container outside the domain"
expect_alive "$production" production
expect_kills 1
[ "$(decision candidates)" = 1 ] || fail "$(decision candidates) candidates: the container outside the domain was ranked"
pass "$(json noCandidate) times no candidate, the container outside the domain alive"
