# The helper's socket serves root and the service's main process, and no other process of its user or group; their input is checked, and the maps are root's.
# shellcheck shell=bash
# beside others
# must never
# shellcheck source=kernel-ua-killer/src/test/native/socket.sh
. "$HERE/socket.sh"
socket_begin "${SERVICE[@]}"
answered() { # exit-code words-of-the-answer words-of-the-request...
  local code=$1 words=$2 out
  shift 2
  out=$(request "$*")
  grep -q -- "^{\"error\":\".*$words.*\",\"exitCode\":$code}\$" <<<"$out" || fail "'$*' prints: $out"
}
victim=$(container best-effort)
other=$(container other)
# Every pin belongs to root alone.
[ "$(stat -c '%a %u' "$BPFFS/charon")" = "700 0" ] || fail "pins: $(stat -c '%a %u' "$BPFFS/charon")"
[ "$(stat -c '%a %u %g' "$BPFFS"/charon/* | sort -u)" = "600 0 0" ] || fail "$(stat -c '%a %u %g %n' "$BPFFS"/charon/*)"
refused 4 "permission denied" "${AS_JOB[@]}" "$UA" --bpffs "$BPFFS" status
# The thread that replies has a bounded share of a processor.
ps -L -o cls= -p "$HELPER" | grep -q '^ *DLN$' || fail "threads: $(ps -L -o cls -p "$HELPER")"
# While the service has no main process, no process of its user is served.
refused 4 "not the main process of nm.service" job status
# shellcheck disable=SC2016 # perl's own variables
"${AS_JOB[@]}" perl -e 'use Socket; socket(my $s, PF_UNIX, SOCK_STREAM, 0); connect($s, sockaddr_un($ARGV[0])) or die; print <$s>' \
  "$SOCKET" | grep -q '"exitCode":4}$' || fail "a peer that sends nothing gets no refusal"
setpriv --reuid 65533 --regid 65533 --clear-groups "$UA" --socket "$SOCKET" status 2>/dev/null
[ $? = 4 ] || fail "an outsider was not refused"
refused 4 "only root and the NodeManager of user 65534" setpriv --reuid 65533 --regid 65534 --clear-groups \
  "$UA" --socket "$SOCKET" status
"$UA" --socket "$SOCKET" status >/dev/null || fail "root is not accepted"
await_node_manager
# The same user, group and cgroup, and even a child of it, is not the NodeManager.
# shellcheck disable=SC2153 # not domain
refused 4 "not the main process" job register "$victim" --domain "$DOMAIN" --score 5
refused 4 "not the main process" job set cgth-time-ms 0
[ "$(request register "$victim" --domain "$DOMAIN" --score 500 --age-ms 10000)" = '{"done":true}' ] || fail "register"
[ "$(request register "$other" --domain "$DOMAIN")" = '{"done":true}' ] || fail "register without a score"
[ "$(request unregister "$(stat -c %i "$other")")" = '{"done":true}' ] || fail "unregister"
[ "$(request set cgth-time-ms 1500 --domain "$DOMAIN")" = '{"done":true}' ] || fail "set"
request status | grep -q '"cgthTimeSeconds":1.500.*best-effort","killable":true,"score":500' || fail "status: $(request status)"
[ "$(request decisions 0)" = '{"decisions":[]}' ] || fail "decisions: $(request decisions 0)"
answered 3 "not registered" unregister "$other"
answered 3 "is not a domain" register "$victim" --domain "$MEMORY"
answered 2 "not below the domain" register "$DOMAIN" --domain "$DOMAIN"
answered 2 "whole path of a cgroup" register /etc/passwd --domain "$DOMAIN"
answered 2 "whole path of a cgroup" register "$MEMORY/../../../../root" --domain "$DOMAIN"
answered 2 "allows 0 (off) or" set cgth-time-ms 5
answered 2 "whole number" set owed-time-ms 1e3
for key in period-ms flat-ms min-pages file-refaults victim-timeout-ms owed-percent owed-progress-percent 'a"b\c'; do
  answered 4 "only root may set it" set "$key" 50
done
"$UA" --socket "$SOCKET" set min-pages 11 >/dev/null || fail "root does not set min-pages over the socket"
answered 2 "give register" unload
answered 2 "give register" set flat-ms 200 300
answered 2 "control characters" unregister "$(printf 'a\tb')"
# By numbers, many at once; a refused change does not prevent the others.
# shellcheck disable=SC2153 # not DOMAINS
domain=$(stat -c %i "$DOMAIN")
best=$(stat -c %i "$victim")
spare=$(stat -c %i "$other")
root=$(stat -c %i "$MEMORY")
request domains | grep -q "^{\"protocol\":2,.*\"id\":$domain,\"cgthTimeMillis\":1500,.*\"killableBelow\":\[$domain\]" || fail "domains: $(request domains)"
started=$(request registrations "$domain" | value startNanos)
out=$(request update "$domain" "+$best:0:7:0" "+$root:0:9:0" "+$spare:55:0:4096" "-$root" +1:2 -x)
[ "$(grep -o '"id":[0-9]*' <<<"$out" | tr '\n' ' ')" = "\"id\":$root \"id\":0 \"id\":0 " ] || fail "update: $out"
grep -q "not below the domain.*give +ID:START_NANOS:SCORE:ENTITLED_BYTES or -ID.*whole number" <<<"$out" || fail "update: $out"
out=$(request registrations "$domain")
grep -q "{\"id\":$best,\"startNanos\":$started,\"score\":7,\"entitledBytes\":0}" <<<"$out" || fail "a registration lost its start: $out"
grep -q "{\"id\":$spare,\"startNanos\":55,\"score\":0,\"entitledBytes\":4096}" <<<"$out" || fail "registrations: $out"
[ "$(request update "$domain" "-$spare" "-$spare")" = '{"refused":[]}' ] || fail "forgetting twice"
# More registrations than the helper reads by one system call.
many=()
for i in {1..300}; do many+=("+$(stat -c %i "$(container "many-$i")"):55:0:4096"); done
for i in 0 100 200; do
  out=$(request update "$domain" "${many[@]:i:100}")
  [ "$out" = '{"refused":[]}' ] || fail "many updates: $out"
done
request registrations "$domain" | grep -o '"id":[0-9]*,"startNanos":55' | sort -u | wc -l | grep -qx 300 || fail "not all of 300 registrations are read"
for i in 0 100 200; do
  forgotten=("${many[@]:i:100}")
  forgotten=("${forgotten[@]/#+/-}")
  out=$(request update "$domain" "${forgotten[@]%%:*}")
  [ "$out" = '{"refused":[]}' ] || fail "many are forgotten: $out"
done
request registrations "$domain" | grep -q '"startNanos":55,' && fail "a forgotten registration is read"
request update "$root" "-$best" | grep -q "another domain" || fail "a container of another domain was forgotten"
# Reclaim by others on this machine leaves samples that do not count.
out=$(request samples "$best")
[[ $out == '{"samples":['* && $out != *'"counted":true'* ]] || fail "samples: $out"
answered 2 "longer than" unregister "$(printf '%9000s' x | tr ' ' x)"
# The main process has ended: neither another process nor the next one with its number is the NodeManager.
ended=$NODE_MANAGER
end_node_manager
echo 0 >"$MAIN"
again() { # starts a process with the number of the one that ended
  echo $((ended - 1)) >/proc/sys/kernel/ns_last_pid 2>/dev/null && start_node_manager
  [ "$NODE_MANAGER" = "$ended" ] || { end_node_manager; return 1; }
}
if await 20 again; then
  request set cgth-time-ms 0 | grep -q "not the main process" || fail "a process with the number of the ended main process is accepted"
  end_node_manager
  reused=", nor is a later process with its number"
fi
refused 4 "not the main process" job status
await_node_manager
# The socket of a killed helper is served again; a helper that ends removes it.
{ kill -9 "$HELPER" && wait "$HELPER"; } 2>/dev/null
[ -S "$SOCKET" ] || void "the killed helper left no socket"
start_helper --socket "$SOCKET"
"$UA" --socket "$SOCKET" decisions 0 >/dev/null || fail "the new helper does not serve the socket"
refused 4 "only root is accepted; give .ua-killer reap. --user" job status
kill "$HELPER"
wait "$HELPER" 2>/dev/null
[ ! -e "$SOCKET" ] || fail "the ended helper left its socket"
pass "a process that is not the main process is not accepted$reused"
