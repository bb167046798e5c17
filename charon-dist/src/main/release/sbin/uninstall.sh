#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
#
# Removes Charon and everything that it left behind from a Hadoop on this machine. See --help.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/common.sh"

usage() {
  cat <<'END'
Usage: uninstall.sh [--hadoop DIR] [--cgroup PATH] [--bpffs DIR] [--state PATH]... [--dry-run]

Removes the files that install.sh installed in this Hadoop and the cgroups that Charon left, stops the unit
of the kernel UA killer, and removes the killer's programs and pins. Remaining limits on network devices are
only reported. First remove Charon from yarn-site.xml and restart the daemons: while any file of the
configuration directory names Charon, the script refuses and changes nothing. A fragment that you have
changed is kept as NAME.charon-save. The script may be run again at any time. As root it changes only files
in directories of root: if Hadoop belongs to another user, run it as that user first, and then as root for
the rest.

  --hadoop DIR   the Hadoop distribution (default: $HADOOP_HOME)
  --cgroup PATH  value of yarn.nodemanager.charon.cgroup.path (default: /charon)
  --bpffs DIR    where the kernel UA killer is pinned, as given to ua-killer (default: /run/charon/bpffs)
  --state PATH   also remove this file or directory of state: the values of
                 yarn.nodemanager.charon.scheduler.profile.file and .audit.directory
  --dry-run      print the actions; change nothing

Exit codes: 0 nothing of Charon is left, 1 refused or something is left (the message names it and the
cure), 2 wrong usage.
END
}

hadoop_option="${HADOOP_HOME:-}"
cgroup=/charon
bpffs=/run/charon/bpffs
state=()
while (($# > 0)); do
  case $1 in
    --hadoop | --cgroup | --bpffs | --state)
      (($# > 1)) || wrong_usage "$1 needs a value"
      case $1 in
        --hadoop) hadoop_option="$2" ;;
        --cgroup) cgroup="$2" ;;
        --bpffs) bpffs="$2" ;;
        --state) state+=("$2") ;;
      esac
      shift
      ;;
    --dry-run) dry_run=yes ;;
    --help | -h)
      usage
      exit 0
      ;;
    *) wrong_usage "unknown argument $1" ;;
  esac
  shift
done
[[ $cgroup =~ ^/[^/] && ! $cgroup =~ (^|/)\.\.?(/|$) ]] ||
  wrong_usage "--cgroup $cgroup: must be the path of a cgroup below the root, such as /charon"
for path in "${state[@]}"; do
  [[ $path =~ ^/[^/]+/.*[Cc]haron && "$(realpath -m -- "$path")" == "$path" ]] ||
    wrong_usage "--state $path: must be an absolute path that contains 'charon', without links and '..', such as" \
      "/var/lib/hadoop-yarn/charon-peaks.json; remove other files by hand"
done

left=()

# Prints the name of Charon that the file $1 contains; nothing if there is none or the file is Charon's own.
named_in() {
  local text sign
  [[ -z ${recorded["$1"]:-} && $1 != *.charon-save ]] || return 0
  case $1 in
    *.xml) text="$(without_comments "$1")" ;;
    *) text="$(grep -Iv '^[[:space:]]*#' -- "$1")" || return 0 ;;
  esac
  for sign in charon-nodemanager.xml charon-resourcemanager.xml io.charon.; do
    if [[ $text == *"$sign"* ]]; then
      printf '%s' "$sign"
      return 0
    fi
  done
}

# Checks all files, because any daemon may read them: DataNodes read core-site.xml, all daemons read hadoop-env.sh.
refuse_while_configured() {
  [[ -n $installed_conf ]] || return 0
  local file sign
  while IFS= read -r -d '' file; do
    sign="$(named_in "$file")"
    [[ -z $sign ]] ||
      die "$file still names $sign: remove that line, restart the daemons, then run this script again. Nothing was changed"
  done < <(find -L "$installed_conf" -type f -readable -print0)
}

remove_files() {
  local target
  for target in "${!recorded[@]}"; do
    [[ -e $target ]] || continue
    if [[ "$(checksum_of "$target")" == "${recorded["$target"]}" ]]; then
      act rm -f -- "$target"
    elif [[ $target == *.xml ]]; then
      say "you have changed $target: kept as ${target##*/}.charon-save"
      act mv -fT -- "$target" "$target.charon-save"
    else
      left+=("$target was changed after it was installed: remove it by hand")
    fi
  done
  # shellprofile.d may be Hadoop's own, so it is removed only if it is empty.
  if [[ -n ${recorded["$installed_conf/shellprofile.d/charon.sh"]:-} ]]; then
    act rmdir --ignore-fail-on-non-empty -- "$installed_conf/shellprofile.d"
  fi
  if ((${#left[@]} == 0)); then act rm -f -- "$manifest"; fi
}

remove_cgroups() {
  local mount type directory
  while read -r _ mount type _; do
    [[ $type == cgroup || $type == cgroup2 ]] || continue
    directory="$mount$cgroup"
    [[ -d $directory ]] || continue
    if [[ $dry_run == yes ]]; then
      say "would remove the cgroup $directory"
    elif ! find "$directory" -depth -type d -exec rmdir {} + 2>/dev/null; then
      left+=("the cgroup $directory: containers still run in it, or you lack the permission to remove it; run this script again, as root, when they have ended")
    fi
  done </proc/self/mounts
}

# Stops the unit first, because it would load the killer again.
remove_killer() {
  local unit=charon-ua-killer.service stop unload remove
  stop="systemctl disable --now $unit"
  unload="$release/sbin/ua-killer --bpffs $bpffs unload"
  remove="rm /etc/systemd/system/$unit /usr/local/sbin/ua-killer && systemctl daemon-reload"
  if systemctl cat "$unit" >/dev/null 2>&1; then
    if ((EUID != 0)); then
      left+=("the kernel UA killer and its unit: run, as root, $stop && $unload && $remove")
      return
    fi
    if ! act systemctl disable --now "$unit"; then
      left+=("the kernel UA killer and its unit, which does not stop: see above, then run $stop && $unload && $remove")
      return
    fi
    left+=("the helper and its unit, which is stopped: run, as root, $remove")
  fi
  [[ -e $bpffs/charon ]] || return 0
  if ((EUID == 0)); then
    act "$release/sbin/ua-killer" --bpffs "$bpffs" unload || left+=("the kernel UA killer in $bpffs: see above")
  else
    left+=("the kernel UA killer is loaded: run, as root, $unload")
  fi
}

# A NodeManager removes its limit when it stops, but not when it is killed. A limit of another NodeManager looks the same,
# so limits are only reported.
report_traffic_limits() {
  local shaper device cure
  for shaper in /sys/class/net/charon-be*; do
    [[ -e $shaper ]] || continue
    device="$(sed -n 's/.*egress of \([^,]*\).*/\1/p' "$shaper/ifalias" 2>/dev/null)" || device=""
    cure="$release/sbin/ua-killer network clear --device ${device:-DEVICE}"
    left+=("a limit on network traffic, ${shaper##*/}: if no other NodeManager on this machine uses it, run, as root, $cure")
  done
}

remove_state() {
  local path reason
  for path in "${state[@]}"; do
    [[ -e $path ]] || continue
    reason="$(not_roots "$(dirname -- "$path")")"
    if [[ -n $reason ]]; then
      left+=("$path: $reason")
    else
      act rm -rf -- "$path"
    fi
  done
}

use_hadoop "$hadoop_option"
read_manifest
refuse_while_configured
if [[ -z $installed_version ]]; then
  say "no $manifest: no files of Charon to remove; if install.sh was interrupted, run it to completion first"
fi
remove_files
remove_cgroups
remove_killer
report_traffic_limits
remove_state
if [[ $dry_run == yes ]]; then
  say "nothing was changed"
  exit 0
fi
if ((${#left[@]} > 0)); then
  for thing in "${left[@]}"; do say "left: $thing"; done
  exit 1
fi
say "nothing of Charon is left in $hadoop"
