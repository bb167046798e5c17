#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
#
# What install.sh and uninstall.sh share. It is sourced, not run.

# Read by the scripts that source this file.
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
  printf 'charon: %s --help explains\n' "${0##*/}" >&2
  exit 2
}

# Runs a command, or with --dry-run says what would be run.
act() {
  if [[ $dry_run == yes ]]; then
    say "would run: $*"
  else
    "$@"
  fi
}

checksum_of() { sha256sum -- "$1" | cut -d ' ' -f 1; }

# Sets hadoop to the absolute path of the Hadoop in $1, lib and manifest to where Charon goes there.
use_hadoop() {
  [[ -n $1 ]] || wrong_usage "no Hadoop: set HADOOP_HOME or give --hadoop DIR"
  [[ -d $1/share/hadoop/yarn/lib ]] ||
    die "--hadoop $1: no share/hadoop/yarn/lib there; name the directory of a Hadoop distribution"
  hadoop="$(cd "$1" && pwd)"
  lib="$hadoop/share/hadoop/yarn/lib"
  manifest="$lib/$manifest_name"
}

# Reads the manifest, if there is one, into installed_version, installed_conf, installed_roles and recorded (path to checksum).
read_manifest() {
  installed_version=""
  installed_conf=""
  installed_roles=()
  declare -gA recorded=()
  [[ -e $manifest ]] || return 0
  local first rest
  while read -r first rest; do
    case $first in
      '#' | '') ;;
      version) installed_version="$rest" ;;
      conf) installed_conf="$rest" ;;
      role) installed_roles+=("$rest") ;;
      *)
        [[ $first =~ ^[0-9a-f]{64}$ && $rest == /* ]] ||
          die "$manifest: a line that is none of Charon's: '$first $rest'; put back the file that install.sh wrote"
        recorded["$rest"]="$first"
        ;;
    esac
  done <"$manifest"
  [[ -n $installed_version ]] || die "$manifest: no version in it; put back the file that install.sh wrote"
}

# Prints yarn-site.xml in directory $1 without its comments, on one line; nothing if there is none.
yarn_site_of() {
  [[ -r $1/yarn-site.xml ]] || return 0
  tr '\n' ' ' <"$1/yarn-site.xml" | sed 's/<!--/\n<!--/g; s/-->/-->\n/g' | sed '/^<!--/d' | tr '\n' ' '
}
