# The helper's socket: a member of the group without access to the maps registers and sets, and nobody does what he may not.
# shellcheck shell=bash
# must never
# shellcheck source=kernel-ua-killer/src/test/native/socket.sh
. "$HERE/socket.sh"
socket_begin
answered() { # exit-code words-of-the-answer words-of-the-request...
  local code=$1 words=$2 out
  shift 2
  out=$(member "$@" 2>&1)
  [ $? = "$code" ] || fail "'$*': exit code is not $code: $out"
  grep -q -- "^{\"error\":\".*$words.*\",\"exitCode\":$code}\$" <<<"$out" || fail "'$*' says: $out"
}
victim=$(container best-effort)
other=$(container other)
as_user 65534 --bpffs "$BPFFS" status 2>/dev/null && fail "the test is void: the member can use the maps"
as_user 65533 --socket "$SOCKET" status 2>/dev/null
[ $? = 4 ] || fail "an outsider was not refused"
[ "$(member register "$victim" --domain "$DOMAIN" --score 500 --age-ms 10000)" = '{"done":true}' ] || fail "register"
member register "$other" --domain "$DOMAIN" >/dev/null || fail "register without a score"
member unregister "$(stat -c %i "$other")" >/dev/null || fail "unregister"
member set cgth-time-ms 1500 --domain "$DOMAIN" >/dev/null || fail "set"
member status | grep -q '"cgthTimeSeconds":1.500.*best-effort","killable":true,"score":500' || fail "status: $(member status)"
[ "$(member decisions 0)" = '{"decisions":[]}' ] || fail "decisions: $(member decisions 0)"
answered 3 "not registered" unregister "$other"
answered 3 "is no domain" register "$victim" --domain "$MEMORY"
answered 2 "not below the domain" register "$DOMAIN" --domain "$DOMAIN"
answered 2 "whole path of a cgroup" register /etc/passwd --domain "$DOMAIN"
answered 2 "whole path of a cgroup" register "$MEMORY/../../../../root" --domain "$DOMAIN"
answered 2 "allows 0 (off) or" set cgth-time-ms 5
answered 2 "no such key" set 'a"b\c' 1
answered 2 "whole number" set flat-ms 1e3
answered 4 "root alone" set period-ms 50
answered 2 "give register" unload
answered 2 "one word too many" set flat-ms 200 300
answered 2 "longer than" unregister "$(printf '%9000s' x | tr ' ' x)"
answered 2 "control characters" unregister "$(printf 'a\tb')"
# A socket that a killed helper left is served again; a helper that ends takes it away.
{ kill -9 "$HELPER" && wait "$HELPER"; } 2>/dev/null
[ -S "$SOCKET" ] || fail "the test is void: the killed helper left no socket"
start_helper --socket "$SOCKET"
member decisions 0 >/dev/null || fail "the new helper does not serve the socket"
kill "$HELPER"
wait "$HELPER" 2>/dev/null
[ ! -e "$SOCKET" ] || fail "the ended helper left its socket"
pass
