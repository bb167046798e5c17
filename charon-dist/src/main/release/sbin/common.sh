#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
#
# Functions shared by install.sh, install-helper.sh and uninstall.sh; this file is sourced, not run.

# These variables are used by the scripts that source this file.
# shellcheck disable=SC2034
release="$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)"
manifest_name=charon-install.manifest
dry_run=no

say() { printf 'charon: %s\n' "$*"; }
die() {
  printf 'charon: %s\n' "$*" >&2
  exit 1
}
wrong_usage() {
  printf 'charon: %s\n' "$*" >&2
  printf 'charon: %s --help shows the usage\n' "${0##*/}" >&2
  exit 2
}

# Runs a command, or with --dry-run prints it.
act() {
  if [[ $dry_run == yes ]]; then
    say "would run: $*"
  else
    "$@"
  fi
}

checksum_of() { sha256sum -- "$1" | cut -d ' ' -f 1; }

# Sets hadoop to the absolute path of the Hadoop in $1, and lib and manifest to the paths of Charon in it.
use_hadoop() {
  [[ -n $1 ]] || wrong_usage "no Hadoop: set HADOOP_HOME or give --hadoop DIR"
  [[ -d $1/share/hadoop/yarn/lib ]] ||
    die "--hadoop $1: contains no share/hadoop/yarn/lib; name the directory of a Hadoop distribution"
  hadoop="$(realpath -- "$1")"
  lib="$hadoop/share/hadoop/yarn/lib"
  manifest="$lib/$manifest_name"
}

# Prints why root must not write in directory $1: another user who can write there could redirect what root writes.
# Prints nothing if root may write there, or if this is not root.
not_roots() {
  ((EUID == 0)) || return 0
  local own part mode
  own="$(realpath -- "$1")"
  part="$own"
  while true; do
    if [[ "$(stat -c %u -- "$part")" != 0 ]]; then
      printf '%s belongs to %s: run this script as that user, not as root' "$part" "$(stat -c %U -- "$part")"
      return 0
    fi
    mode="$(stat -c %a -- "$part")"
    # An entry of a sticky directory, such as /tmp, can be replaced only by its owner.
    if ((8#$mode & 8#022)) && { [[ $part == "$own" ]] || ! ((8#$mode & 8#1000)); }; then
      printf 'users other than root can write to %s: chmod go-w %s' "$part" "$part"
      return 0
    fi
    [[ $part != / ]] || return 0
    part="$(dirname -- "$part")"
  done
}

require_roots() {
  local reason
  reason="$(not_roots "$1")"
  [[ -z $reason ]] || die "$reason"
}

# Succeeds if $1 is a file that some version of install.sh puts into this Hadoop or its configuration.
is_ours() {
  local name
  case $1 in
    "$lib"/*) name="${1#"$lib"/}" && [[ $name =~ ^(charon-[a-z-]+|kernel-ua-killer)\.jar$ ]] ;;
    "$installed_conf"/shellprofile.d/charon.sh) ;;
    "$installed_conf"/*) name="${1#"$installed_conf"/}" && [[ $name =~ ^charon-[a-z-]+\.xml$ ]] ;;
    *) return 1 ;;
  esac
}

# Succeeds if the file $1 has a content that the manifest lists: it is as install.sh wrote it. One that cannot be read is
# not.
is_as_recorded() {
  local sum
  sum="$(checksum_of "$1")" && [[ -n $sum && " ${recorded["$1"]:-} " == *" $sum "* ]]
}

# Reads the manifest, if there is one, into installed_version, installed_conf, installed_roles, unfinished, and recorded (path
# to checksums: several where an upgrade was interrupted). $1 is the value of --conf: it takes the place of a recorded
# directory that is gone or is now a link to it, because a Hadoop may be moved, or be installed below another root
# directory.
read_manifest() {
  [[ -z $1 || -d $1 ]] || die "--conf $1: no such directory; name the directory that holds yarn-site.xml"
  installed_version=""
  unfinished=no
  installed_conf=""
  installed_roles=()
  declare -gA recorded=()
  [[ -e $manifest || -L $manifest ]] || return 0
  [[ -f $manifest && ! -L $manifest ]] || die "$manifest is not a regular file: restore the file that install.sh wrote"
  require_roots "$lib"
  [[ -r $manifest ]] || die "cannot read $manifest: run this script as $(stat -c %U -- "$manifest"), or as root"
  ((EUID != 0)) || [[ "$(stat -c %u -- "$manifest")" == 0 ]] ||
    die "$manifest belongs to $(stat -c %U -- "$manifest"): run this script as that user, not as root"
  local first rest path
  while read -r first rest; do
    case $first in
      '#' | '') ;;
      version) installed_version="$rest" ;;
      conf)
        installed_conf="$rest"
        if [[ -n $1 ]] && { [[ ! -e $rest ]] || [[ $rest -ef $1 ]]; }; then installed_conf="$(realpath -- "$1")"; fi
        ;;
      role) installed_roles+=("$rest") ;;
      unfinished) unfinished=yes ;;
      *)
        case $rest in
          lib/*) path="$lib/${rest#lib/}" ;;
          conf/*) path="$installed_conf/${rest#conf/}" ;;
          *) path="$rest" ;;
        esac
        [[ $first =~ ^[0-9a-f]{64}$ && $path == /* ]] ||
          die "$manifest: a line that Charon did not write: '$first $rest'; restore the file that install.sh wrote"
        [[ " ${recorded["$path"]:-} " == *" $first "* ]] || recorded["$path"]+=" $first"
        ;;
    esac
  done <"$manifest"
  [[ -n $installed_version ]] || die "$manifest: contains no version; restore the file that install.sh wrote"
  [[ $installed_conf == /* && "$(realpath -m -- "$installed_conf")" == "$installed_conf" ]] ||
    die "$manifest: conf '$installed_conf' is not an absolute path without links: if the configuration was moved, name its" \
      "new place with --conf; otherwise restore the file that install.sh wrote"
  for path in "${!recorded[@]}"; do
    is_ours "$path" || die "$manifest names $path, where install.sh installs nothing; restore the file that install.sh wrote"
  done
}

# Prints the files in which Charon's commands keep what was enabled, disabled or stopped, as the fragments name them.
state_files() {
  sed -n 's:^ *<value>\(/.*\.properties\)</value>$:\1:p' "$release"/conf/charon-{node,resource}manager.xml 2>/dev/null
}

# Prints the XML file $1 on one line without its comments.
without_comments() {
  tr '\n' ' ' <"$1" | sed 's/<!--/\n<!--/g; s/-->/-->\n/g' | sed '/^<!--/d' | tr '\n' ' '
}
