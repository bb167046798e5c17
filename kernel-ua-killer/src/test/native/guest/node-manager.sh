# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Common to the guests' tests of an unprivileged NodeManager: a process of user 65534 that the helper serves, because
# a file of root's names it, and other processes of the same user.

SOCKET=$FILES/socket
MAIN=/run/charon-ua-test-$$.pid

member() { "$OUT/member" as 65534 "$@"; }

# Starts a command in that cgroup as the user, as systemd would. Replaces the calling shell.
become_member_in() { # cgroup command...
  echo "$BASHPID" >"$1/cgroup.procs" || exit 1
  shift
  exec "$OUT/member" as 65534 "$@"
}

from() { (become_member_in "$@"); }

# A guest's directories belong to the user that packed them; the helper trusts only root's.
start_helper_for_member() {
  chown 0:0 /
  chmod 755 / /run
  start_helper --socket "$SOCKET" --user 65534 --pid-file "$MAIN"
}

# The helper queries the NodeManager at most once per second, and another process may have triggered that.
start_node_manager() { # cgroup
  local answer
  for _ in {1..5}; do
    coproc CLIENT { sleep 1.2; become_member_in "$1" "$OUT/member" request "$SOCKET"; }
    # A command substitution can use only descriptors with fixed numbers.
    exec 7>&"${CLIENT[1]}" 8<&"${CLIENT[0]}"
    # shellcheck disable=SC2153 # of the coprocess
    echo "$CLIENT_PID" >"$MAIN"
    answer=$(request status)
    [[ $answer != '{"tier":'* ]] || return 0
    exec 7>&- 8<&-
    wait "$CLIENT_PID"
  done
  fail "the NodeManager is not accepted: $answer"
}

request() { # request: sent by the NodeManager
  local answer
  echo "$*" >&7
  read -r -t 20 answer <&8 || answer="no reply"
  echo "$answer"
}

expect_reply() { # text request...
  local text=$1 out
  shift
  out=$(request "$*")
  grep -q -- "$text" <<<"$out" || fail "'$*' prints: $out"
}
