# Swap is full when production needs best-effort's memory: production keeps its own, and the shortage is reported, not waited for.
# shellcheck shell=bash
# must never
RESERVE=$((64 << 20)) SWAP_MB=64
# shellcheck source=kernel-ua-killer/src/test/native/limit.sh
. "$HERE/limit.sh"
other=$(awk 'NR > 1 && $3 - $4 > 1024 { print $1 }' /proc/swaps)
[ -z "$other" ] || skip "other swap has space: ${other//$'\n'/ }"
limit_begin
swapped() { # cgroup: bytes in swap
  if [ "$UNIFIED" = 1 ]; then cat "$1/memory.swap.current"; else echo $(($(cat "$1/memory.memsw.usage_in_bytes") - $(use "$1"))); fi
}
free_swap() { # megabytes
  awk -v device="/dev/zram$ZRAM" '$1 == device { print int(($3 - $4) / 1024) }' /proc/swaps
}
FILLER=$DOMAIN-filler
DOMAINS+=("$FILLER")
make_domain "$FILLER" 16
mkdir "$FILLER/task"
run_in "$FILLER/task" "$WORK" idle 72 >/dev/null 2>&1 || fail "nothing fills the swap"
little() { [ "$(free_swap)" -le 16 ]; }
await 20 little || void "$(free_swap) MB of swap are free"

start_limit
start "$BEST_EFFORT/task" idle 128
expect_grown 128
start "$PRODUCTION" idle 150
sleep 1.1
start "$PRODUCTION" idle 100
began=$(now_ms)
await 10 grep -q '"uncoveredMillis":[1-9][0-9][0-9]' "$FILES/limit.out" || fail "no shortage is reported: $(tail -1 "$FILES/limit.out")"
took=$(($(now_ms) - began))
sleep 1 # the limit goes on to be lowered, and there is nowhere for the memory to go
expect_untouched() { # when
  expect_alive "$PRODUCTION" "production $1"
  kill -0 "$TOOL" 2>/dev/null || fail "the tool has ended $1: $(tail -1 "$FILES/limit.err")"
  [ "$(use "$PRODUCTION")" -ge $((250 << 20)) ] || fail "production holds $(($(use "$PRODUCTION") >> 20)) MB $1"
  [ "$(swapped "$PRODUCTION")" -le $((1 << 20)) ] || fail "production has $(($(swapped "$PRODUCTION") >> 20)) MB in swap $1"
}
expect_untouched "while memory is due"
expect_alive "$BEST_EFFORT" best-effort

# Best-effort that goes on to grow has what is left of the swap, and then Linux kills within its limit.
mkdir "$BEST_EFFORT/grower"
start "$BEST_EFFORT/grower" anonymous 300 1
killed() { grep -hqs '^oom_kill [1-9]' "$BEST_EFFORT"/**/memory.oom_control "$BEST_EFFORT/memory.events"; }
await 10 killed || fail "best-effort grows to $(($(use "$BEST_EFFORT") >> 20)) MB and nobody is killed; $(free_swap) MB of swap are free"
sleep 1
expect_untouched "beside best-effort that grows"
expect_short_writes
numbers="the shortage is reported after $took ms, clamps take at most $clamp us, samples are at most $(reported max longestGapMicros) us apart"

# Nothing is due once best-effort has ended.
end_best_effort
covered() { [ "$(reported last uncoveredMillis)" = 0 ]; }
await 5 covered || fail "a shortage is still reported: $(tail -1 "$FILES/limit.out")"
expect_alive "$PRODUCTION" production
pass "$numbers"
