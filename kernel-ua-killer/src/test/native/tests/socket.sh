# The helper's socket: a member of the group without access to the maps registers and sets; hostile clients delay no kill.
command -v setpriv >/dev/null || skip "no setpriv (package util-linux)"
begin 128 600
SOCKET=$FILES/socket
UNIT=$HERE/../../../../conf/charon-ua-killer.service
caps=$(sed -n 's/^CapabilityBoundingSet=//p' "$UNIT" | tr '[:upper:]' '[:lower:]' | sed 's/cap_/+/g; s/ /,/g')
FLOOD=()
hang_up() {
  local p
  for p in "${FLOOD[@]}"; do kill "$p" 2>/dev/null; done
}
trap 'hang_up; cleanup' EXIT
load --group 65534
chmod 700 "$BPFFS" # as where unprivileged processes may not use the maps
setpriv --groups 65534 --no-new-privs --bounding-set "-all,$caps" --inh-caps "-all,$caps" \
  "$UA" --bpffs "$BPFFS" reap --socket "$SOCKET" >"$FILES/helper.log" 2>&1 &
HELPER=$!
for _ in $(seq 50); do [ -S "$SOCKET" ] && grep -q ready "$FILES/helper.log" && break; sleep 0.05; done
[ "$(stat -c '%a %u %g' "$SOCKET")" = "660 0 65534" ] || fail "socket: $(stat -c '%a %u %g' "$SOCKET"); $(cat "$FILES/helper.log")"
as_user() { local u=$1; shift; setpriv --reuid "$u" --regid "$u" --clear-groups "$UA" "$@"; }
member() { as_user 65534 --socket "$SOCKET" "$@"; }
refused() { # exit-code words-of-the-answer words-of-the-request...
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
refused 3 "not registered" unregister "$other"
refused 3 "is no domain" register "$victim" --domain "$MEMORY"
refused 2 "not below the domain" register "$DOMAIN" --domain "$DOMAIN"
refused 2 "whole path of a cgroup" register /etc/passwd --domain "$DOMAIN"
refused 2 "whole path of a cgroup" register "$MEMORY/../../../../root" --domain "$DOMAIN"
refused 2 "allows 0 (off) or" set cgth-time-ms 5
refused 2 "no such key" set 'a"b\c' 1
refused 2 "whole number" set flat-ms 1e3
refused 4 "root alone" set period-ms 50
refused 2 "give register" unload
refused 2 "one word too many" set flat-ms 200 300
refused 2 "longer than" unregister "$(printf '%9000s' x | tr ' ' x)"
refused 2 "control characters" unregister "$(printf 'a\tb')"
# Hostile clients while a container thrashes: half a line and silence, or a flood of requests whose answers nobody reads.
cat >"$FILES/hostile.pl" <<'PERL'
use Socket;
my ($path, $manner) = @ARGV;
$SIG{PIPE} = 'IGNORE';
for (;;) {
  my $s;
  socket($s, PF_UNIX, SOCK_STREAM, 0) && connect($s, sockaddr_un($path)) or die $!;
  if ($manner eq 'silent') { syswrite($s, 'stat'); sysread($s, my $answer, 1); }
  else { 1 while syswrite($s, "status\n" x 100); }
}
PERL
if command -v perl >/dev/null; then
  for manner in silent silent silent flood flood; do
    setpriv --reuid 65534 --regid 65534 --clear-groups perl "$FILES/hostile.pl" "$SOCKET" $manner &
    FLOOD+=($!)
    disown $!
  done
  sleep 0.5
  member status >/dev/null || fail "among hostile clients nobody is served"
  report="among ${#FLOOD[@]} hostile clients"
else
  report="no perl, so without hostile clients"
fi
start "$victim" anonymous 220 1
wait_dead "$victim" 8 || fail "alive; $(state)"
sleep 0.3
member decisions 0 | grep -q '"sequence":1,.*"victim":"'"$victim"'"' || fail "decisions: $(member decisions 0)"
expect_streak 1.5
for p in "${FLOOD[@]}"; do kill -0 "$p" 2>/dev/null || fail "a hostile client ended early: the test is void"; done
hang_up
# A socket that a killed helper left is served again; a helper that ends takes it away.
{ kill -9 "$HELPER" && wait "$HELPER"; } 2>/dev/null
[ -S "$SOCKET" ] || fail "the test is void: the killed helper left no socket"
start_helper --socket "$SOCKET"
member decisions 0 >/dev/null || fail "the new helper does not serve the socket"
kill "$HELPER"
wait "$HELPER" 2>/dev/null
[ ! -e "$SOCKET" ] || fail "the ended helper left its socket"
pass "$report: $(numbers)"
