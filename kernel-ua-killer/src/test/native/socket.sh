# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# What the tests of the helper's socket use: a loaded killer whose maps no member of the group can use, and a helper that
# serves the socket with the capabilities of conf/charon-ua-killer.service.

SOCKET=$FILES/socket

socket_begin() {
  command -v setpriv >/dev/null || skip "no setpriv (package util-linux)"
  begin 128 600
  load --group 65534
  chmod 700 "$BPFFS" # as where unprivileged processes may not use the maps
  : >"$FILES/helper.log"
  as_unit --groups 65534 -- "$UA" --bpffs "$BPFFS" reap --socket "$SOCKET" >"$FILES/helper.log" 2>&1 &
  # shellcheck disable=SC2034 # cleanup ends it
  HELPER=$!
  helper_ready
  [ "$(stat -c '%a %u %g' "$SOCKET")" = "660 0 65534" ] || fail "socket: $(stat -c '%a %u %g' "$SOCKET")"
}

as_user() { local user=$1; shift; setpriv --reuid "$user" --regid "$user" --clear-groups "$UA" "$@"; }
member() { as_user 65534 --socket "$SOCKET" "$@"; }
