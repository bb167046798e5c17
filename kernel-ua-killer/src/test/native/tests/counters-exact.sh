# The refaults that the sampler reads are those that the kernel shows in memory.stat, in both data sources.
begin 64 400
"$WORK" create "$FILES/data" 100
for source in lite exact; do
  load --source $source
  ua set cgth-time-ms 0
  ua set file-refaults any
  victim=$(container "$source")
  best_effort "$victim"
  start "$victim" anonymous 90 1
  start "$victim" file "$FILES/data" 100 1
  sleep 2
  for p in $(cat "$victim/cgroup.procs"); do kill -STOP "$p"; done
  # Another container keeps the kernel reclaiming, so that a last sample is taken of the one that stands still.
  start "$(container pressure)" anonymous 80 1
  sleep 1
  for series in anon file; do
    name=workingset_refault_$series
    [ $UNIFIED = 1 ] || name=total_$name
    shown=$(awk -v n=$name '$1 == n { print $2 }' "$victim/memory.stat")
    [ $series = anon ] && column=2 || column=3
    seen=$(ua samples "$victim" | tail -1 | awk -v c=$column '{ print $c }')
    [ "$shown" -gt 100 ] || fail "$source: only $shown refaults ($series)"
    awk -v a="$shown" -v b="$seen" -v source=$source \
      'BEGIN { d = a - b; if (d < 0) d = -d; exit !(d <= a * (source == "lite" ? 0.001 : 0.02) + 2) }' ||
      fail "$source: memory.stat shows $shown $series refaults, the sampler $seen"
    report="$report $source $series $seen/$shown"
  done
  kill_cgroup "$DOMAIN/pressure"
  kill_cgroup "$victim"
  ua unload >/dev/null
done
pass "sampled/memory.stat:$report"
