# A little memory of single containers is reclaimed, and their limit is restored, whatever they do meanwhile and whichever process is killed.
# shellcheck shell=bash
# must never
begin 400 256
[ "$UNIFIED" = 0 ] || skip "the limits of cgroup v1; reclaim-unified is that of v2"
LIMIT=memory.limit_in_bytes
box=$(container box)
number() { cat "$box/$1"; }
line() { # bytes files [most]: a limit of the current use less the bytes, as the NodeManager would request it
  local held to
  held=$(number memory.usage_in_bytes)
  to=$(((held - $1) / 65536 * 65536))
  echo "number=7 bytes=$1 files=$2 from=$(number $LIMIT) to=$to most=${3:-$((2 * $1))} swappiness=$(number memory.swappiness) cgroup=$box"
}
reclaim() { "$UA" reclaim <<<"$1"; }
result() { value result <<<"$1"; }
taken() { echo $(($(value beforeBytes <<<"$1") - $(value afterBytes <<<"$1"))); }
swapped() { awk '$1 == "total_swap" { print $2 }' "$box/memory.stat"; }
limit=$(number $LIMIT) swappiness=$(number memory.swappiness)
unchanged() { # what
  [ "$(number $LIMIT)" = "$limit" ] || fail "$1: the limit is $(number $LIMIT), it was $limit"
  [ "$(number memory.swappiness)" = "$swappiness" ] || fail "$1: swappiness is $(number memory.swappiness), it was $swappiness"
}

for bad in "" "frob=1 cgroup=$box" "number=1 bytes=1 files=0" "number=1 bytes=-1 files=0 cgroup=$box" \
  "number=1 number=1 bytes=1 files=0 cgroup=$box" "number=1 bytes=1 files=2 cgroup=$box"; do
  refused 2 "ua-killer" reclaim "$bad"
done
[ "$(result "$(reclaim "number=1 bytes=1 files=0 cgroup=$box/absent")")" = gone ] || fail "an absent cgroup is not gone"
[ "$(result "$(reclaim "number=1 bytes=1 files=0 cgroup=/tmp")")" = gone ] || fail "/tmp is no cgroup"

# First only page cache, then anonymous memory, too.
"$WORK" create "$FILES/data" 100 || fail "no file"
start "$box" idle 100
start "$box" cache "$FILES/data"
await 60 at_least $((195 << 20)) number memory.usage_in_bytes || fail "it holds $(number memory.usage_in_bytes)"
all=0
for _ in {1..100}; do # on a busy machine, 40 ms are short
  reply=$(reclaim "$(line $((16 << 20)) 1)")
  unchanged "page cache"
  all=$((all + $(taken "$reply")))
  [ $all -lt $((32 << 20)) ] || break
done
[ $all -ge $((32 << 20)) ] || fail "page cache: $all bytes, at last $reply"
[ "$(swapped)" = 0 ] || fail "$(swapped) bytes went to swap"
held=$(value heldMicros <<<"$reply")
echo 100 >"$box/memory.swappiness" && swappiness=100
for _ in {1..12}; do # the kernel takes page cache first while there is much of it
  reply=$(reclaim "$(line $((16 << 20)) 0)")
  unchanged "anonymous memory"
  [ "$(swapped)" = 0 ] || break
done
[ "$(swapped)" -gt 0 ] || fail "nothing went to swap: $reply"
swap=$(swapped)

# The container is not as the NodeManager saw it: nothing is done.
asked=$(line $((8 << 20)) 1)
echo $((390 << 20)) >"$box/$LIMIT"
reply=$(reclaim "$asked")
[[ $(result "$reply") = changed && $(number $LIMIT) = $((390 << 20)) ]] || fail "a limit set by another process: $reply, $(number $LIMIT)"
echo "$limit" >"$box/$LIMIT"
[ "$(result "$(reclaim "$(line $((8 << 20)) 1 $((4 << 20)))")")" = grown ] || fail "it took more than it may"
[ "$(result "$(reclaim "$(line $((-8 << 20)) 1 1 | sed 's/bytes=-[0-9]*/bytes=1/')")")" = less ] || fail "it raised what it holds"
unchanged "nothing done"

# Killed at any moment: the limit is the old one, or the low one that the NodeManager has recorded.
low=0 both=0 rounds=${UA_LONG:+200}
rounds=${rounds:-12}
for ((i = 0; i < rounds; i++)); do
  asked=$(line $((1 << 20)) 1)
  to=${asked#* to=} to=${to%% *}
  "$UA" reclaim <<<"$asked" >/dev/null &
  victim=$!
  sleep "0.00$((i % 10))"
  kill -9 $victim 2>/dev/null
  wait $victim 2>/dev/null
  now=$(number $LIMIT)
  case $now in
  "$limit") ;;
  "$to") low=$((low + 1)) ;;
  *) fail "killed, it left $now, neither $limit nor $to" ;;
  esac
  [ "$(number memory.swappiness)" = "$swappiness" ] || both=$((both + 1))
  echo "$limit" >"$box/$LIMIT"
  echo "$swappiness" >"$box/memory.swappiness"
done
# Asked to end: it ends between two lines, and leaves nothing behind.
for ((i = 0; i < 6; i++)); do
  asked=$(line $((1 << 20)) 1)
  for _ in {1..20}; do echo "$asked"; done >"$FILES/lines"
  "$UA" reclaim <"$FILES/lines" >/dev/null &
  victim=$!
  while read -r name <"/proc/$victim/comm" && [ "$name" != ua-killer ]; do :; done 2>/dev/null # before that, it is this shell
  sleep "0.00$((i % 10))"
  kill -TERM $victim 2>/dev/null
  wait $victim 2>/dev/null
  unchanged "asked to end"
done
expect_alive "$box" "a container of which memory is taken"

# All memory is locked: nothing can be reclaimed, and no task waits for that.
kill_cgroup "$box"
box=$(container box)
swappiness=$(number memory.swappiness)
# shellcheck disable=SC2016 # perl's
run_in "$box" perl -e 'syscall(151, 3) == 0 or die; $x = "x" x (60 << 20); mkdir shift; sleep 100' "$FILES/locked" || fail "no locked memory"
await 60 test -d "$FILES/locked" || fail "it holds $(number memory.usage_in_bytes)"
began=$(now_ms)
reply=$(reclaim "$(line $((32 << 20)) 0)")
[ "$(result "$reply")" = partly ] || fail "locked memory: $reply"
unchanged "locked memory"
locked=$(($(now_ms) - began))
expect_alive "$box" "a container with locked memory"

# It streams, grows, and is killed meanwhile.
kill_cgroup "$box"
box=$(container box)
swappiness=$(number memory.swappiness)
start "$box" stream "$FILES/data" 100000
start "$box" anonymous 60 2
await 60 at_least $((120 << 20)) number memory.usage_in_bytes || fail "it holds $(number memory.usage_in_bytes)"
for ((i = 0; i < 6; i++)); do
  reply=$(reclaim "$(line $((4 << 20)) 0 $((64 << 20)))")
  unchanged "it streams and works: $reply"
done
expect_alive "$box" "a container that streams"
asked=$(line $((1 << 20)) 0 $((64 << 20)))
for _ in {1..100}; do echo "$asked"; done >"$FILES/lines"
"$UA" reclaim <"$FILES/lines" >"$FILES/answers" &
victim=$!
kill_cgroup "$box"
wait $victim || fail "a container that ends makes it fail: $(tail -1 "$FILES/answers")"
[ ! -d "$box" ] || fail "the cgroup stays"
pass "a low limit stood for $held us; $((swap >> 20)) MB to swap; of $rounds that were killed $low left the low limit, $both the swappiness; locked memory: $locked ms"
