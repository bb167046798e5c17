# The number of best-effort's dirty pages is kept small if the NodeManager asks for that, and only then.
# shellcheck shell=bash
# shellcheck source=kernel-ua-killer/src/test/native/limit.sh
. "$HERE/limit.sh"
limit_begin
fs=$(stat -f -c %T "$FILES")
case $fs in
ext2/ext3 | xfs | f2fs) ;;
*) skip "$FILES is on $fs, whose dirty pages have no disk of their own" ;;
esac
dirty_of() { # cgroup: the kernel's counter, which lags a little
  local key value wanted=total_dirty
  [ "$UNIFIED" = 0 ] || wanted=file_dirty
  while read -r key value; do [ "$key" != $wanted ] || echo "$value"; done <"$1/memory.stat"
}
# A task that has written and keeps its file open. The file is not truncated: ext4 would write it when it is closed.
# Beside it, a file without a disk and a pipe are open for writing.
writer() { # cgroup file megabytes
  # shellcheck disable=SC2016
  run_in "$1" bash -c 'exec 3<>"$0" 4>"$2" 5> >(exec sleep 1000); rm "$2"; head -c "$1M" /dev/zero >&3; echo written >"$0.done"; exec sleep 1000' "$2" "$3" "/dev/shm/charon-ua-test-$$" >/dev/null 2>&1 || fail "no writer"
}
at_most() { [ "$("${@:2}")" -le "$1" ]; } # bytes command...: the command echoes a number

start_limit
# Not requested: a complete file stays dirty until the kernel itself writes it, some 30 s later.
writer "$BEST_EFFORT/task" "$FILES/left" 60
await 30 test -e "$FILES/left.done" || fail "the writer does not end"
await 5 at_least $((20 << 20)) dirty_of "$BEST_EFFORT" || skip "the kernel writes at once here: $(dirty_of "$BEST_EFFORT") bytes are dirty"
[ "$(reported sum writtenBackFiles)" = 0 ] || fail "it writes back although it was not requested: $(tail -1 "$FILES/limit.out")"

# On request, the tool starts writeback, also of a deleted file. Tasks are never stopped for it.
rm "$FILES/left"
stop_limit
DIRTY_PERCENT=5 # of the limit, which is below 400 MB
if command -v strace >/dev/null; then
  printf '#!/bin/bash\nexec strace -f --seccomp-bpf -qq -o %q -e trace=pidfd_getfd %q "$@"\n' "$FILES/trace" "$UA" >"$FILES/traced"
  chmod +x "$FILES/traced"
  UA=$FILES/traced
fi
start_limit
most=$((NODE_MB * 5 / 100 << 20))
await 20 at_most "$most" dirty_of "$BEST_EFFORT" ||
  fail "$(dirty_of "$BEST_EFFORT") bytes stay dirty: $(tail -1 "$FILES/limit.out")"
begun() { [ "$(reported sum writtenBackFiles)" -gt 0 ]; }
await 5 begun || fail "the kernel wrote them, not the tool: $(tail -1 "$FILES/limit.out")"
grep -q '"writeBackRefusal":"[^"]' "$FILES/limit.out" && fail "refused: $(grep -m1 'Refusal":"[^"]' "$FILES/limit.out")"
expect_alive "$BEST_EFFORT" "best-effort, which writes,"
stop_limit
# Closing the duplicate of a descriptor may wait for a server; only that of the file on the disk was duplicated.
duplicated=$(grep -ohs 'pidfd_getfd([0-9]*, [0-9]*' "$FILES/trace" | awk '{ print $2 }')
others=$(grep -vx 3 <<<"$duplicated" | sort | uniq -c | tr '\n' ' ')
[ -z "$duplicated" ] || [ -z "$others" ] || fail "descriptors were duplicated, counts and numbers: $others"
pass "files begun: $(reported sum writtenBackFiles)${duplicated:+; no descriptor of another file was duplicated}"
