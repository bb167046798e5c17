# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Common to the tests of the helper's socket: a helper that serves the socket with the capabilities of
# conf/charon-ua-killer.service, a NodeManager, which is the main process of a service according to the systemctl
# provided here, and other processes of its user and group.

SOCKET=$FILES/socket
MAIN=$FILES/main-pid # the reply of the fake systemctl
NODE_MANAGER=
# shellcheck disable=SC2034 # for the tests
SERVICE=(--user 65534 --service nm.service)
AS_JOB=(setpriv --reuid 65534 --regid 65534 --clear-groups)

socket_begin() { # arguments of `ua-killer reap`, such as $SERVICE
  for tool in setpriv perl; do command -v $tool >/dev/null || skip "no $tool"; done
  begin 128 600
  mkdir -p "$FILES/bin"
  printf '#!/bin/sh\n[ "$*" = "show --property MainPID --value -- nm.service" ] && exec cat "%s"\n' "$MAIN" >"$FILES/bin/systemctl"
  chmod 755 "$FILES/bin/systemctl"
  echo 0 >"$MAIN"
  cat >"$FILES/client.pl" <<'PERL'
use Socket;
$| = 1;
$SIG{PIPE} = 'IGNORE';
$0 = $ENV{CLIENT_NAME} if $ENV{CLIENT_NAME};
socket(my $s, PF_UNIX, SOCK_STREAM, 0);
connect($s, sockaddr_un($ARGV[0])) or die $!;
while (my $request = <STDIN>) { syswrite($s, $request); print scalar(<$s>) // "disconnected\n"; }
PERL
  load --group 65534
  socket_helper "$@"
  [ "$(stat -c '%a %u %g' "$SOCKET")" = "660 0 65534" ] || fail "socket: $(stat -c '%a %u %g' "$SOCKET")"
}

socket_helper() { # arguments of `ua-killer reap`
  : >"$FILES/helper.log"
  PATH=$FILES/bin:$PATH as_unit --groups 65534 -- "$UA" --bpffs "$BPFFS" reap --socket "$SOCKET" "$@" \
    >"$FILES/helper.log" 2>&1 &
  # shellcheck disable=SC2034 # cleanup ends it
  HELPER=$!
  helper_ready
}

# Starts a process that sends requests with `request`, and is not the main process of any service yet.
start_node_manager() {
  coproc CLIENT { exec "${AS_JOB[@]}" perl "$FILES/client.pl" "$SOCKET"; }
  NODE_MANAGER=$CLIENT_PID
  # A command substitution can use only descriptors with fixed numbers.
  exec 7>&"${CLIENT[1]}" 8<&"${CLIENT[0]}"
}

end_node_manager() {
  exec 7>&- 8<&-
  { kill -9 "$NODE_MANAGER" && wait "$NODE_MANAGER"; } 2>/dev/null
}

become_main() { # the started process becomes the NodeManager
  start_node_manager
  echo "$NODE_MANAGER" >"$MAIN"
}

# It may connect before it is the main process, and the helper may have queried the main process a moment ago.
await_node_manager() {
  become_main
  for _ in {1..5}; do
    case $(request status) in '{"tier":'*) return ;; esac
    end_node_manager
    sleep 1
    become_main
  done
  fail "the NodeManager is not accepted: $(request status); $(cat "$FILES/helper.log")"
}

request() { # request: sent by the NodeManager
  local answer
  echo "$*" >&7
  read -r -t 10 answer <&8 || answer="no reply"
  echo "$answer"
}

job() { "${AS_JOB[@]}" "$UA" --socket "$SOCKET" "$@"; } # another process of the same user and group
