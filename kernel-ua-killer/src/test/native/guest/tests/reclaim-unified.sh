# On cgroup v2, a little memory of a container is reclaimed, only page cache if the kernel can spare the rest, and no limit changes.
# shellcheck shell=bash
# must never
begin 300 200
box=$(container box)
"$WORK" create "$FILES/data" 60 || fail "no file"
start "$box" idle 40
start "$box" cache "$FILES/data"
held() { cat "$box/memory.current"; }
swapped() { cat "$box/memory.swap.current"; }
await 40 at_least $((95 << 20)) held || fail "it holds $(held)"
limits=$(cat "$box"/memory.{max,high,swap.max})
take() { "$UA" reclaim <<<"number=1 bytes=$((8 << 20)) files=$1 cgroup=$box"; }
all=0
for _ in {1..40}; do # in emulation, 40 ms are short
  reply=$(take 1)
  [ "$(swapped)" = 0 ] || fail "$(swapped) bytes went to swap"
  all=$((all + $(value beforeBytes <<<"$reply") - $(value afterBytes <<<"$reply")))
  [ $all -lt $((8 << 20)) ] || break
done
case $reply in
*"6.10"*) [ $all -lt $((1 << 20)) ] || fail "it cannot spare, and took $all: $reply" ;;
*) [ $all -ge $((8 << 20)) ] || fail "page cache: $all bytes, at last $reply" ;;
esac
for _ in {1..100}; do
  last=$(take 0)
  [ "$(swapped)" = 0 ] || break
done
[ "$(swapped)" -gt 0 ] || fail "nothing went to swap: $last"
[ "$(cat "$box"/memory.{max,high,swap.max})" = "$limits" ] || fail "a limit has changed"
expect_alive "$box" "a container of which memory is taken"
[ "$(value result <<<"$("$UA" reclaim <<<"number=1 bytes=1 files=0 cgroup=$DOMAIN/absent")")" = gone ] || fail "an absent cgroup is not gone"
pass "$((all >> 10)) KiB of page cache alone; $(value result <<<"$reply")"
