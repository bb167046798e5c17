# Texts of /proc and cgroup files and netlink replies as the kernel writes them, damaged, and arbitrary ones, to their parsers, built with AddressSanitizer and UndefinedBehaviorSanitizer: no error, and only processes inside a container get its signals.
# shellcheck shell=bash
# beside others
# must never
for tool in make cc; do command -v $tool >/dev/null || skip "no $tool"; done
out=$(realpath "$OUT")/parser-fuzz
made=$(make -s -C "$HERE/../../main/native" OUT="$(realpath "$OUT")" "$out" 2>&1) || fail "$(tail -3 <<<"$made")"
trap 'rm -rf "$FILES"' EXIT
trap 'exit 143' TERM INT HUP
seed=${UA_SEED:-$RANDOM} seconds=1
[ -z "${UA_LONG:-}" ] || seconds=30
for version in 1 2; do
  mkdir -p "$FILES/v$version"
  rounds=$("$out" "$FILES/v$version" $version $seconds "$seed" 2>&1) || fail "seed $seed, cgroup v$version: $rounds"
  report="$report$rounds, "
done
pass "${report}seed $seed"
