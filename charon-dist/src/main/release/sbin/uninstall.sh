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
Usage: uninstall.sh [--hadoop DIR] [--conf DIR] [--cgroup PATH] [--bpffs DIR] [--state PATH]... [--dry-run]

Removes the files that install.sh installed in this Hadoop, stops the unit of the kernel UA killer, removes
the killer's programs and pins, and then the cgroups that Charon left: what is frozen there is thawed, and
memory limits are lifted. Processes are never ended. Remaining limits on network devices are only reported.
First remove Charon from yarn-site.xml and restart the daemons: while any file of the configuration names
Charon, or cannot be read, the script refuses and changes nothing. It reads the directory that install.sh was
given, $HADOOP_CONF_DIR, and etc/hadoop of this Hadoop. A fragment that you have changed is kept as
NAME.charon-save, and named each time. The script may be run again at any time. As root it changes only files
in directories of root: if Hadoop belongs to another user, run it as that user first, and then as root for
the rest.

  --hadoop DIR   the Hadoop distribution (default: $HADOOP_HOME)
  --conf DIR     also read this configuration directory; if the one that install.sh was given was moved, its
                 new place
  --cgroup PATH  value of yarn.nodemanager.charon.cgroup.path (default: auto, which is /charon). The cgroup that
                 the unit of the kernel UA killer names is removed, too
  --bpffs DIR    where the kernel UA killer is pinned, as given to ua-killer (default: /run/charon/bpffs)
  --state PATH   also remove this file or directory of state: /var/lib/charon, and the values of
                 yarn.nodemanager.charon.scheduler.profile.file and .audit.directory
  --dry-run      print the actions; change nothing

Exit codes: 0 nothing of Charon is left, 1 refused or something is left (the message names it and the
cure), 2 wrong usage.
END
}

hadoop_option="${HADOOP_HOME:-}"
conf=""
cgroup=auto
bpffs=/run/charon/bpffs
state=()
while (($# > 0)); do
  case $1 in
    --hadoop | --conf | --cgroup | --bpffs | --state)
      (($# > 1)) || wrong_usage "$1 needs a value"
      case $1 in
        --hadoop) hadoop_option="$2" ;;
        --conf) conf="$2" ;;
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
[[ $cgroup != auto ]] || cgroup=/charon
[[ $cgroup =~ ^/[^/] && ! $cgroup =~ (^|/)\.\.?(/|$) ]] ||
  wrong_usage "--cgroup $cgroup: must be the path of a cgroup below the root, such as /charon"
for path in "${state[@]}"; do
  [[ $path =~ ^/[^/]+/.*[Cc]haron && "$(realpath -m -- "$path")" == "$path" ]] ||
    wrong_usage "--state $path: must be an absolute path that contains 'charon', without links and '..', such as" \
      "/var/lib/hadoop-yarn/charon-peaks.json; remove other files by hand"
done

left=()
helper_runs=no
again="run this script again, as root"
saved='\.charon-save(\.[0-9]+)?$'

# Prints the name of Charon that the file $1 contains; nothing if there is none or the file is Charon's own, or a copy that
# was not put in place. Fails if the file cannot be read.
named_in() {
  local text sign
  [[ -z ${recorded["${1%.charon-new.*}"]:-} && ! $1 =~ $saved ]] || return 0
  case $1 in
    *.xml) text="$(without_comments "$1")" || return 1 ;;
    *) text="$(grep -Iv '^[[:space:]]*#' -- "$1")" || (($? == 1)) || return 1 ;;
  esac
  for sign in charon-nodemanager.xml charon-resourcemanager.xml io.charon.; do
    if [[ $text == *"$sign"* ]]; then
      printf '%s' "$sign"
      return 0
    fi
  done
}

cannot_read() {
  die "cannot read the configuration, which may still name Charon: $*. Make it readable, or run this script as" \
    "a user who may read it. Nothing was changed"
}

# Checks all files, because any daemon may read them: DataNodes read core-site.xml, all daemons read hadoop-env.sh. Since
# the installation, daemons may have been given another directory, or a link may have been changed.
refuse_while_configured() {
  [[ -n $installed_conf ]] || return 0
  local file sign hidden remove directories=("$installed_conf")
  [[ -d $installed_conf ]] || cannot_read "$installed_conf is missing (if it was moved, name its new place with --conf; if it is" \
    "gone for good, create an empty directory)"
  if [[ -n $conf ]]; then directories+=("$(realpath -- "$conf")"); fi
  if [[ -n ${HADOOP_CONF_DIR:-} ]]; then
    [[ -d $HADOOP_CONF_DIR ]] || cannot_read "HADOOP_CONF_DIR=$HADOOP_CONF_DIR is not a directory"
    directories+=("$(realpath -- "$HADOOP_CONF_DIR")")
  fi
  if [[ -e $hadoop/etc/hadoop ]]; then directories+=("$(realpath -- "$hadoop/etc/hadoop")"); fi
  # What find itself cannot read it reports on standard error.
  hidden="$({ LC_ALL=C find -L "${directories[@]}" \( -type f ! -readable -o -type d ! \( -readable -executable \) \) \
    -print -quit 2>&1 || true; } | grep -v 'File system loop')" || true
  [[ -z $hidden ]] || cannot_read "${hidden%%$'\n'*}"
  while IFS= read -r -d '' file; do
    sign="$(named_in "$file")" || cannot_read "$file"
    [[ -n $sign ]] || continue
    remove="that line"
    case $file in
      # Of a copied configuration directory.
      */charon-nodemanager.xml | */charon-resourcemanager.xml | */shellprofile.d/charon.sh) remove="that file, which is a copy" ;;
    esac
    die "$file still names $sign: remove $remove, restart the daemons, then run this script again. Nothing was changed"
  done < <(find -L "${directories[@]}" -type f -print0)
}

# Sets copy to a free name for the file $1: what was saved earlier stays.
name_copy() {
  local number=1
  copy="$1.charon-save"
  while [[ -e $copy || -L $copy ]]; do
    number=$((number + 1))
    copy="$1.charon-save.$number"
  done
}

# Removes the copies that an interrupted install.sh had not yet put in place.
remove_unfinished() {
  local file target reason
  for file in "$lib"/*.charon-new.* ${installed_conf:+"$installed_conf"/*.charon-new.*} \
    ${installed_conf:+"$installed_conf"/shellprofile.d/charon.sh.charon-new.*}; do
    target="${file%.charon-new.*}"
    [[ -f $file || -L $file ]] || continue
    [[ $target == "$manifest" ]] || is_ours "$target" || continue
    reason="$(not_roots "${file%/*}")"
    if [[ -n $reason ]]; then
      left+=("$file: $reason")
    else
      act rm -f -- "$file"
    fi
  done
}

# Reports jars that only install.sh puts there and no manifest lists.
name_unlisted() {
  local file
  for file in "$lib"/*.jar; do
    if [[ -e $file && -z ${recorded["$file"]:-} ]] && is_ours "$file"; then
      left+=("$file, which $manifest_name does not list: remove it by hand")
    fi
  done
}

remove_files() {
  local target copy reason
  for target in "${!recorded[@]}"; do
    [[ -e $target ]] || continue
    reason="$(not_roots "${target%/*}")"
    if [[ -n $reason ]]; then
      left+=("$target: $reason")
    elif is_as_recorded "$target"; then
      act rm -f -- "$target"
    elif [[ $target == *.xml ]]; then
      name_copy "$target"
      say "you have changed $target: kept as ${copy##*/}"
      act mv -nT -- "$target" "$copy"
    else
      left+=("$target was changed after it was installed: remove it by hand")
    fi
  done
  remove_unfinished
  name_unlisted
  # shellprofile.d may be Hadoop's own, so it is removed only if it is empty.
  if [[ -n ${recorded["$installed_conf/shellprofile.d/charon.sh"]:-} && -d $installed_conf/shellprofile.d ]]; then
    act rmdir --ignore-fail-on-non-empty -- "$installed_conf/shellprofile.d"
  fi
  if ((${#left[@]} == 0)); then act rm -f -- "$manifest"; fi
}

# Stops the unit first, because it would load the killer again. While it runs, the helper creates its cgroups again.
remove_killer() {
  local unit=charon-ua-killer.service text named stop unload remove
  stop="systemctl disable --now $unit"
  unload="$release/sbin/ua-killer --bpffs $bpffs unload"
  remove="rm /etc/systemd/system/$unit /usr/local/sbin/ua-killer && systemctl daemon-reload"
  paths=("$cgroup")
  if text="$(systemctl cat "$unit" 2>/dev/null)"; then
    helper_runs=yes
    # The NodeManager's cgroup may be below its own unit, which only this unit names.
    while IFS= read -r named; do
      [[ $named != "$cgroup" ]] || continue
      paths+=("$named")
      again+=", with --cgroup $named"
    done < <(sed -nE 's:^ExecStart.* --killable-below[ =](/[^ ]+)/best-effort( .*)?$:\1:p' <<<"$text")
    if ((EUID != 0)); then
      left+=("the kernel UA killer and its unit: run, as root, $stop && $unload && $remove")
      return
    fi
    if ! act systemctl disable --now "$unit"; then
      left+=("the kernel UA killer and its unit, which does not stop: see above, then run $stop && $unload && $remove")
      return
    fi
    helper_runs=no
    left+=("the helper and its unit, which is stopped: run, as root, $remove")
  fi
  [[ -e $bpffs/charon ]] || return 0
  if ((EUID == 0)); then
    act "$release/sbin/ua-killer" --bpffs "$bpffs" unload || left+=("the kernel UA killer in $bpffs: see above")
  else
    helper_runs=yes
    left+=("the kernel UA killer is loaded: run, as root, $unload")
  fi
}

# Sets cgroups to Charon's directories in each hierarchy.
find_cgroups() {
  local mount type path
  cgroups=()
  while read -r _ mount type _; do
    [[ $type == cgroup || $type == cgroup2 ]] || continue
    for path in "${paths[@]}"; do
      if [[ -d $mount$path ]]; then cgroups+=("$mount$path"); fi
    done
  done </proc/self/mounts
}

# Writes $2 to the file $1 of a cgroup. A file that cannot be written is reported, unless its cgroup has vanished.
set_value() {
  if [[ $dry_run == yes ]]; then
    say "would write $2 to $1"
  elif ! { printf '%s' "$2" >"$1"; } 2>/dev/null && [[ -e $1 ]]; then
    left+=("$1, which you may not set to $2: run this script again, as root")
  fi
}

# Ends what a NodeManager that was killed left in force. Nobody else would thaw containers, and they could not even be
# killed (v1).
release_containers() {
  local file value
  while IFS= read -r -d '' file; do
    value="$(cat -- "$file" 2>/dev/null)" || continue
    case ${file##*/}:$value in
      freezer.state:FROZEN | freezer.state:FREEZING) set_value "$file" THAWED ;;
      cgroup.freeze:1) set_value "$file" 0 ;;
      memory.max:[0-9]* | memory.high:[0-9]* | memory.swap.max:[0-9]* | pids.max:[0-9]*) set_value "$file" max ;;
      memory.low:[1-9]* | memory.low:max) set_value "$file" 0 ;;
      # Without a limit it is a number of 19 digits.
      memory.memsw.limit_in_bytes:* | memory.limit_in_bytes:*) ((${#value} >= 19)) || set_value "$file" -1 ;;
    esac
  done < <(
    # The limit of memory and swap may not be below that of memory: it is lifted first.
    for names in memory.memsw.limit_in_bytes memory.limit_in_bytes memory.high memory.swap.max memory.max memory.low pids.max freezer.state cgroup.freeze; do
      find "${cgroups[@]}" -mindepth 2 -name "$names" -print0 2>/dev/null
    done
  )
}

# Whether a process is in one of the cgroups or below. One that was killed while it was frozen ends only now.
is_populated() {
  [[ -n "$(find "${cgroups[@]}" -name cgroup.procs -exec cat {} + 2>/dev/null)" ]]
}

remove_cgroups() {
  local directory tries
  find_cgroups
  ((${#cgroups[@]} > 0)) || return 0
  release_containers
  if [[ $helper_runs == yes ]]; then
    left+=("the cgroups ${cgroups[*]}, which the helper would create again: stop it, then $again")
    return
  fi
  if [[ $dry_run == yes ]]; then
    say "would remove the cgroups ${cgroups[*]}"
    return
  fi
  for ((tries = 0; tries < 20; tries++)); do
    is_populated || break
    sleep 0.1
  done
  for directory in "${cgroups[@]}"; do
    # A hierarchy that is mounted twice is listed twice.
    if [[ -d $directory ]] && ! find "$directory" -depth -type d -exec rmdir {} + 2>/dev/null; then
      name_processes "$directory"
    fi
  done
}

# Reports why the cgroup $1 is left.
name_processes() {
  local inner processes found=no
  while IFS= read -r inner; do
    processes="$({ tr '\n' ' ' <"$inner/cgroup.procs"; } 2>/dev/null)" || processes=""
    [[ -n $processes ]] || continue
    found=yes
    left+=("the cgroup $inner, in which processes run: ${processes% }; when they have ended, $again")
  done < <(find "$1" -type d 2>/dev/null)
  [[ $found == yes ]] || left+=("the cgroup $1, which cannot be removed: $(rmdir "$1" 2>&1 || true); $again")
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
      act rm -rf -- "$path" || left+=("$path: see above; run this script again, as root")
    fi
  done
  # They decide what a later installation does.
  while IFS= read -r path; do
    case " ${state[*]} " in *" $path "* | *" ${path%/*} "*) continue ;; esac
    [[ ! -e $path ]] || left+=("$path, which a later installation would follow: run this script again, with --state $path")
  done < <(state_files)
}

# Names what is yours: it stays until you remove it.
report_kept() {
  local file
  [[ -n $installed_conf && -d $installed_conf ]] || return 0
  while IFS= read -r -d '' file; do
    say "kept: $file, a fragment that you had changed; restore what you need from it, then remove it"
  done < <(find -L "$installed_conf" -regextype posix-extended -type f -regex ".*$saved" -print0)
}

use_hadoop "$hadoop_option"
read_manifest "$conf"
[[ ! -d $installed_conf ]] || require_roots "$installed_conf"
refuse_while_configured
if [[ -z $installed_version ]]; then
  say "no $manifest: no files of Charon to remove"
fi
remove_files
remove_killer
remove_cgroups
report_traffic_limits
remove_state
report_kept
if [[ $dry_run == yes ]]; then
  say "nothing was changed"
  exit 0
fi
if ((${#left[@]} > 0)); then
  for thing in "${left[@]}"; do say "left: $thing"; done
  exit 1
fi
say "nothing of Charon is left in $hadoop"
