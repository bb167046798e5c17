# While best-effort reclaims at its own limit, thrash of production at production's own limit kills no container, and reclaim by a NodeManager and by its programs is no pressure.
# shellcheck shell=bash
# must never
# shellcheck source=kernel-ua-killer/src/test/native/socket.sh
. "$HERE/socket.sh"
for tool in setpriv perl; do command -v $tool >/dev/null || skip "no $tool"; done
begin 256 600
load
limit_best_effort 96
socket_helper
ua set cgth-time-ms 600
# Best-effort streams: it reclaims all the time at the limit around it, and needs no page twice.
streaming=$(container best-effort/streaming) quiet=$(container best-effort/quiet)
best_effort "$streaming"
best_effort "$quiet" 1000 1000
truncate -s 1T "$FILES/new"
start "$quiet" idle 20
start "$streaming" stream "$FILES/new" 1
await 10 at_least 101 json killableRootReclaims || fail "no reclaim below the limit; $(state)"
production=$(container production)
watched "$production"
set_limit "$production" 48
start "$production" anonymous 80 1
await 10 at_least 101 json ownLimitReclaims || fail "production's own limit was not seen; $(state)"
sleep 2 # more than three times cgth_time
expect_kills 0
kill_cgroup "$production"
# The NodeManager is in the domain, which has no room left, and a program that it starts lowers best-effort's limit below its
# use. After the helper was started again, the NodeManager has nothing to register anew.
kill_cgroup "$streaming" # from here on, only the NodeManager causes reclaim
held=$(container best-effort/held)
best_effort "$held"
start "$held" idle 50
agent=$(container nodemanager)
watched "$agent"
cat >"$FILES/agent.pl" <<'PERL'
use POSIX;
use Socket;
$| = 1;
my ($path, $domain, $limit, $files) = @ARGV;
sub await { select(undef, undef, undef, 0.05) until -e "$files/$_[0]"; }
for my $helper ("first", "second") {
  await("$helper-serves");
  socket(my $s, PF_UNIX, SOCK_STREAM, 0);
  connect($s, sockaddr_un($path)) or die $!;
  syswrite($s, $helper eq "first" ? "update $domain -1\n" : "domains\n");
  <$s>;
  sleep 1; # until the helper has informed the kernel's programs
  print "known to the $helper\n";
  await("$helper-go");
  my $child = fork;
  if (!$child) {
    for my $bytes (map { $_ << 20 } reverse $helper eq "first" ? 24 .. 56 : 6 .. 22) {
      open(my $file, '>', $limit) or next;
      syswrite($file, $bytes);
    }
    POSIX::_exit(0);
  }
  waitpid($child, 0);
  print "done with the $helper\n";
  await("$helper-ends"); # a process that has disconnected is no agent
}
PERL
limit=$LIMITED/memory.limit_in_bytes
[ "$UNIFIED" = 0 ] || limit=$LIMITED/memory.max
run_in "$agent" perl "$FILES/agent.pl" "$SOCKET" "$(stat -c %i "$DOMAIN")" "$limit" "$FILES" >"$FILES/agent" 2>&1
used() { cat "$1/memory.usage_in_bytes" 2>/dev/null || cat "$1/memory.current"; } # cgroup
lowers_the_limit() { # helper megabytes-to-take-back-from: in best-effort
  : >"$FILES/$1-serves"
  await 20 grep -q "known to the $1" "$FILES/agent" || fail "the NodeManager is not accepted: $(cat "$FILES/agent")"
  await 10 at_least $(($2 << 20)) used "$LIMITED" || fail "there is nothing to take back: $(used "$LIMITED")"
  # Room for two megabytes: a limit this close is the one that a reclaim serves.
  local room=$(($(used "$DOMAIN") + (2 << 20))) before lowered
  echo "$room" >"$DOMAIN/memory.limit_in_bytes" 2>/dev/null || echo "$room" >"$DOMAIN/memory.max"
  before=$(json reclaims) lowered=$(json agentReclaims)
  : >"$FILES/$1-go"
  await 20 grep -q "done with the $1" "$FILES/agent" || fail "the NodeManager does not come to its end: $(cat "$FILES/agent")"
  [ "$(json agentReclaims)" -gt "$lowered" ] || fail "$1 helper: the NodeManager's reclaim was not seen; $(state)"
  [ "$(json reclaims)" = "$before" ] || fail "$1 helper: taking back was counted as pressure: $(($(json reclaims) - before)) times"
  : >"$FILES/$1-ends"
}
lowers_the_limit first 48
kill "$HELPER"
await 5 test ! -e "/proc/$HELPER" || fail "the helper does not end"
socket_helper
lowers_the_limit second 16
expect_alive "$quiet" "the quiet container"
expect_kills 0
pass "$(json killableRootReclaims) reclaims below the limit, $(json agentReclaims) of the NodeManager, 0 kills"
