#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures kills: measure-kills.sh ROUNDS [MB...]. Each round kills one container per size and variant, interleaved, with
# a CPU hog on every core, zram swap and a memory limit of 60 % of the victim. One JSON object per kill on standard output.
#   in-kernel          the kernel kills; the helper only watches
#   in-kernel+reaper   the kernel kills, the helper releases the memory
#   in-kernel-detect+helper   tier 2
ROUNDS=${1:-3}
shift
SIZES=${*:-50 200 500}
HERE=$(cd "$(dirname "$0")" && pwd)
# shellcheck disable=SC2034 # read by lib.sh
TEST=measure-kills
# shellcheck source=/dev/null
. "$HERE/lib.sh"
begin 512 1200
hogs=$(container hogs)
for _ in $(seq "$ROUNDS"); do
  for variant in in-kernel in-kernel+reaper in-kernel-detect+helper; do
    case $variant in
    in-kernel) load && start_helper --no-release ;;
    in-kernel+reaper) load && start_helper ;;
    *) load --tier 2 && start_helper ;;
    esac
    ua set cgth-time-ms 500
    for size in $SIZES; do
      victim=$(container victim)
      set_limit "$DOMAIN" $((size * 6 / 10 + 10))
      best_effort "$victim"
      start "$hogs" burn "$(nproc)"
      start "$victim" anonymous "$size" 2
      if wait_dead "$victim" 15; then
        sleep 0.5
        ua --json watch --since $(($(kills) - 1)) --count 1 |
          sed "s/^{/{\"variant\":\"$variant\",\"containerMegabytes\":$size,/"
      else
        echo "no kill: $variant, $size MB" >&2
      fi
      kill_cgroup "$victim"
      kill_cgroup "$hogs"
      mkdir -p "$hogs"
    done
    kill "$HELPER"
    wait "$HELPER" 2>/dev/null
    HELPER=
    ua unload >/dev/null
  done
done
