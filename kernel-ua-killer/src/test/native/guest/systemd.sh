# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Adds this machine's systemd to a guest, where it is the first process and runs the tests as a service.

systemd_missing() { # prints why there is none, if so
  [ -x /lib/systemd/systemd ] && command -v systemctl >/dev/null || echo "no systemd on this machine (package systemd)"
}

add_systemd() { # root of the guest, directory of conf/
  local root=$1 file
  mkdir -p "$root"/{lib/systemd/system,etc/systemd/system,usr/local/sbin,usr/bin,tests}
  cp /lib/systemd/systemd "$root/lib/systemd/"
  cp "$(command -v systemctl)" "$(command -v nsenter)" "$root/bin/"
  ln -s ../../bin/nsenter "$root/usr/bin/nsenter"
  # The loader and all libraries, at the paths where the programs expect them.
  for file in $(ldd /lib/systemd/systemd "$(command -v systemctl)" "$(command -v nsenter)" | grep -o '/[^ ]*\.so[^ ]*' | sort -u); do
    mkdir -p "$root$(dirname "$file")"
    cp -L "$file" "$root$file"
  done
  for file in basic sysinit multi-user shutdown umount final local-fs local-fs-pre sockets timers paths slices network poweroff; do
    cp "/lib/systemd/system/$file.target" "$root/lib/systemd/system/" 2>/dev/null || true
  done
  cp /lib/systemd/system/systemd-poweroff.service "$root/lib/systemd/system/"
  ln -sf multi-user.target "$root/lib/systemd/system/default.target"
  printf '[Manager]\nLogTarget=null\nDefaultStandardOutput=tty\nDefaultStandardError=inherit\nShowStatus=no\nStatusUnitFormat=name\n' \
    >"$root/etc/systemd/system.conf"
  printf 'root:x:0:0::/:/bin/bash\nyarn:x:65534:65534::/:/bin/bash\n' >"$root/etc/passwd"
  printf 'root:x:0:\nyarn:x:65534:\n' >"$root/etc/group"
  printf 'passwd: files\ngroup: files\n' >"$root/etc/nsswitch.conf"
  : >"$root/etc/machine-id"
  printf '[Unit]\nDescription=tests\n[Service]\nType=oneshot\nExecStart=/bin/bash /tests/run\nStandardOutput=tty\nStandardError=tty\nTTYPath=/dev/console\n' \
    >"$root/etc/systemd/system/tests.service"
  mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
  ln -s ../tests.service "$root/etc/systemd/system/multi-user.target.wants/tests.service"
  cp "$2/charon-ua-killer.service" "$root/tests/"
}
