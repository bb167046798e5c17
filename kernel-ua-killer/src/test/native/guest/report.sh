# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# How run-guests.sh reads the console of a boot: the verdicts of its tests, and what the kernel said during each.

# Messages that say nothing about the kernel: emulated processors stand still while the host is busy, systemd writes to
# the kernel's log as well, traps are faults of processes, and a stack that cannot be unwound belongs to another message.
UNRELATED='soft lockup|workqueue lockup|hard LOCKUP|\] [a-z-]+\[[0-9]+\]: |\] traps: |WARNING: (kernel )?stack '

# Prints why a test has failed, whatever its verdict, if the kernel crashed or warned during it. guest/run prints what
# does not reach the console. The tail of the kernel's log below a failed test (kernel:) may be older than the test. A
# panic at int3 is that of QEMU's emulation of several processors, while code of the kernel is patched.
kernel_complaint() { # test log
  local said line
  said=$(tr -d '\r' <"$2" | tr '\t' ' ' | sed -n "/^start $1\$/,/^start /p" | grep -av '^  kernel: ' |
    sed 's/^said by the kernel: //' | grep -aE '\[ *[0-9]+\.[0-9]+\]' | grep -avE "$UNRELATED" || true)
  [[ $said != *" int3: "* ]] || return 0
  if line=$(grep -aEm 1 'Kernel panic|BUG:|kernel BUG|Oops|general protection' <<<"$said"); then
    echo "wrong death: the kernel: $line"
  elif line=$(grep -am 1 'WARNING:' <<<"$said"); then
    echo "the kernel warns: $line"
  fi
}

# Shows and counts the verdicts of a boot, which had to end before `deadline`. The tests for another boot stay in
# `pending`: those that failed and may be retried and, once, those that were not reached.
report() { # guest version log attempt
  local name line took complaint tests=$pending when="when the guest ended"
  [ $SECONDS -lt "${deadline:?}" ] || when="before the guest's time was over"
  pending=
  for name in $tests; do
    line=$(verdict "$3" "$name")
    complaint=$(kernel_complaint "$name" "$3")
    [ -z "$complaint" ] || line="FAIL $name: $complaint"
    [ -n "$line" ] || line="FAIL $name: no verdict $when; its last line: $(tr -d '\r' <"$3" | tail -1)"
    took=$(tr -d '\r' <"$3" | sed -n "s/^took $name //p")
    echo "${line%% *} $1 (Linux $2${took:+, $took}) ${line#* }"
    if [ "$4" = 1 ] && [ $SECONDS -lt "$deadline" ] &&
      { may_retry "$(test_file "$name")" "$line" || ! grep -aq "^start $name" "$3"; }; then
      pending="$pending $name"
    else
      record "$1: $name" "$line" "$4"
    fi
  done
}

record() { # name verdict attempt: for the main script, which counts
  printf '%s\t%s\t%s\n' "$1" "$2" "$3" >>"$WORK/verdicts"
}
