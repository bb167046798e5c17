# With more possible CPUs than the programs support, the killer loads in tier 3, which has no programs.
# shellcheck shell=bash
# beside others
command -v unshare >/dev/null || skip "no unshare (package util-linux)"
begin 64 0
echo 0-599 >"$FILES/possible"
mkdir -p "$BPFFS"
mount -t bpf -o mode=0755 bpf "$BPFFS" || skip "no bpffs"
# shellcheck disable=SC2016 # expanded by the inner shell
unshare --mount sh -c 'mount --bind "$1" /sys/devices/system/cpu/possible && exec "$2" --bpffs "$3" load' \
  sh "$FILES/possible" "$UA" "$BPFFS" >"$FILES/loaded" 2>&1 || fail "cannot load: $(cat "$FILES/loaded")"
[ "$(json tier)" = 3 ] || fail "tier $(json tier): $(json reason)"
[[ $(json reason) == "too many possible CPUs"* ]] || fail "the reason is $(json reason)"
pass "$(json reason)"
