#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
#
# Installs Charon into a Hadoop on this machine, or upgrades it to this release. See --help.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/common.sh"

usage() {
  cat <<'END'
Usage: install.sh --role nodemanager|resourcemanager [--role ...] [--hadoop DIR] [--conf DIR]
                  [--main-class] [--dry-run]
       install.sh --check [--hadoop DIR] [--conf DIR]

Installs Charon's jars into share/hadoop/yarn/lib of the Hadoop on this machine, and the fragments
charon-nodemanager.xml and charon-resourcemanager.xml into its configuration directory. No file of
Hadoop is changed: the lines to add to yarn-site.xml are printed at the end. The installed files are
listed in share/hadoop/yarn/lib/charon-install.manifest; uninstall.sh removes exactly these files.

To upgrade, run install.sh of the newer release: files are replaced by renaming, so a running daemon
uses the old ones until it is restarted. Without --role, the installed roles are kept. Fragments that
you have changed are kept. The script may be run again at any time.

  --role ROLE    nodemanager (four jars) or resourcemanager (three jars, two of them the same). May be
                 repeated.
  --hadoop DIR   the Hadoop distribution (default: $HADOOP_HOME)
  --conf DIR     its configuration directory (default: $HADOOP_CONF_DIR, the installed one, DIR/etc/hadoop);
                 after Hadoop and its configuration were moved, the new one
  --main-class   also install shellprofile.d/charon.sh: `yarn nodemanager` then runs CharonNodeManager
  --check        only check that the installation is complete and the only copy of Charon
  --dry-run      print the actions; change nothing

Exit codes: 0 done, 1 refused or failed (the message names the cause and the cure), 2 wrong usage.
END
}

roles=()
hadoop_option="${HADOOP_HOME:-}"
conf=""
main_class=no
check_only=no
while (($# > 0)); do
  case $1 in
    --role | --hadoop | --conf)
      (($# > 1)) || wrong_usage "$1 needs a value"
      case $1 in
        --role) roles+=("$2") ;;
        --hadoop) hadoop_option="$2" ;;
        --conf) conf="$2" ;;
      esac
      shift
      ;;
    --main-class) main_class=yes ;;
    --check) check_only=yes ;;
    --dry-run) dry_run=yes ;;
    --help | -h)
      usage
      exit 0
      ;;
    *) wrong_usage "unknown argument $1" ;;
  esac
  shift
done

# Sets version and line (the Hadoop line) from the file RELEASE of this release.
read_release() {
  [[ -r $release/RELEASE ]] || die "$release/RELEASE is missing: run install.sh of an unpacked release"
  version="$(sed -n 's/^version=//p' "$release/RELEASE")"
  line="$(sed -n 's/^hadoop=//p' "$release/RELEASE")"
}

require_hadoop_line() {
  local jar found=""
  for jar in "$hadoop"/share/hadoop/common/hadoop-common-[0-9]*.jar; do
    case $jar in *-tests.jar) ;; *) found="${jar##*/hadoop-common-}" ;; esac
  done
  found="${found%.jar}"
  [[ $found =~ ^[0-9] ]] || die "$hadoop/share/hadoop/common: no hadoop-common-<version>.jar; is this a Hadoop distribution?"
  [[ $found == "$line".* ]] ||
    die "$hadoop is Hadoop $found, this release is for $line: take charon-$version-hadoop-${found%.*}.tar.gz"
}

# Refuses if this user cannot write to directory $1; $2 is the other one that the script writes to.
require_writable() {
  [[ -w $1 ]] || die "cannot write to $1, which belongs to $(stat -c %U -- "$1"): run this script as that user. If $2" \
    "belongs to another one, let $(id -un) write there for the time of the installation (as root: setfacl -m u:$(id -un):rwx $1)," \
    "or give both to root"
}

# Where another user can write, he could redirect what root writes.
require_roots_of_targets() {
  local target
  for target in "${targets[@]}"; do
    if [[ -d ${target%/*} ]]; then require_roots "${target%/*}"; fi
  done
}

require_java() {
  [[ -r ${JAVA_HOME:-}/release ]] || return 0
  local major
  major="$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$JAVA_HOME/release")"
  ((${major:-17} >= 17)) ||
    die "JAVA_HOME=$JAVA_HOME is Java $major; Charon's classes need 17: run Hadoop's daemons on JDK 17"
}

# Adds the copy of one file to the plan: from $1 in this release to $2.
plan() {
  [[ -r $release/$1 ]] || die "$release/$1 is missing: unpack the release again"
  sources+=("$release/$1")
  targets+=("$2")
}

make_plan() {
  sources=()
  targets=()
  local role jar
  local -A jars=()
  for role in "${roles[@]}"; do
    case $role in
      nodemanager) jars[kernel-ua-killer]=1 jars[charon-nodemanager]=1 ;;
      resourcemanager) jars[charon-scheduler]=1 ;;
      *) wrong_usage "--role $role is neither nodemanager nor resourcemanager" ;;
    esac
  done
  if ((${#jars[@]} > 0)); then jars[charon-core]=1 jars[charon-web]=1; fi
  for jar in charon-core charon-nodemanager charon-scheduler charon-web kernel-ua-killer; do
    if [[ -n ${jars[$jar]:-} ]]; then plan "share/hadoop/yarn/lib/$jar.jar" "$lib/$jar.jar"; fi
  done
  # Both fragments for any role, because clusters often use one yarn-site.xml for all machines.
  plan conf/charon-nodemanager.xml "$conf/charon-nodemanager.xml"
  plan conf/charon-resourcemanager.xml "$conf/charon-resourcemanager.xml"
  if [[ $main_class == yes || -n ${recorded["$conf/shellprofile.d/charon.sh"]:-} ]]; then
    plan conf/shellprofile.d/charon.sh "$conf/shellprofile.d/charon.sh"
  fi
}

# Refuses other copies: with two versions of a class on the class path, it is undefined which one runs.
refuse_other_copies() {
  local jar
  while IFS= read -r jar; do
    [[ -n ${recorded["$jar"]:-} ]] && continue
    case " ${targets[*]-} " in *" $jar "*) continue ;; esac
    die "$jar is a second copy of Charon that install.sh did not install; with two copies on the class path it is" \
      "undefined which one runs. Remove it, or move it out of $hadoop/share/hadoop, and run this script again"
  done < <(find -L "$hadoop/share/hadoop" -name '*.jar' \
    \( -name 'charon-core*' -o -name 'charon-nodemanager*' -o -name 'charon-scheduler*' -o -name 'charon-web*' \
    -o -name 'kernel-ua-killer*' \) | sort)
}

# Sets the step for every target: steps[i] is write, same or keep.
decide() {
  steps=()
  local index target wanted
  for index in "${!targets[@]}"; do
    target="${targets[index]}"
    wanted="$(checksum_of "${sources[index]}")"
    if [[ ! -e $target && ! -L $target ]]; then
      steps+=(write)
      continue
    fi
    [[ -f $target && ! -L $target ]] || die "$target is not a regular file and does not belong to Charon: move it away, then run this script again"
    [[ -r $target ]] || die "cannot read $target, and so not tell whether it is yours: make it readable, or move it away, then" \
      "run this script again"
    if [[ "$(checksum_of "$target")" == "$wanted" ]]; then
      steps+=(same)
    elif is_as_recorded "$target"; then
      steps+=(write)
    elif [[ -n ${recorded["$target"]:-} && $target == *.xml ]]; then
      steps+=(keep)
    elif [[ -n ${recorded["$target"]:-} ]]; then
      die "$target was changed after Charon $installed_version was installed: a node with files of two versions may" \
        "fail to start. Remove this file and run this script again"
    else
      die "$target already exists and was not installed by install.sh: move it away, then run this script again"
    fi
  done
}

# Replaces the file $2 by renaming, so that processes that have it open keep the old content.
write_file() {
  [[ -d ${2%/*} ]] || install -d -m 0755 "${2%/*}"
  local copy
  copy="$(mktemp "$2.charon-new.XXXXXXXX")"
  cat -- "$1" >"$copy"
  chmod 0644 "$copy"
  mv -fT "$copy" "$2"
}

# Removes files of an older release that this release does not need. A running daemon keeps the file that it has open.
remove_superseded() {
  local target
  for target in "${!recorded[@]}"; do
    case " ${targets[*]} " in *" $target "*) continue ;; esac
    [[ -e $target ]] || continue
    is_as_recorded "$target" ||
      die "$target is not used by Charon $version and was changed after Charon $installed_version was installed: remove this" \
        "file and run this script again"
    act rm -f -- "$target"
    if [[ $dry_run == no ]]; then say "removed      $target"; fi
  done
}

# Prints the lines of the manifest for the file $1 with the checksums $2. The paths are relative, because a Hadoop may be
# moved.
list() {
  local checksum path="lib/${1##*/}"
  if [[ $1 == "$conf"/* ]]; then path="conf/${1#"$conf"/}"; fi
  for checksum in $2; do printf '%s  %s\n' "$checksum" "$path"; done
}

# Writes the manifest; with the word unfinished, for an installation that begins: it also lists what is there already, so that
# after an interruption both old and new files are known as Charon's.
write_manifest() {
  local copy index role target
  copy="$(mktemp "$manifest.charon-new.XXXXXXXX")"
  {
    printf '# Written by install.sh of Charon; uninstall.sh removes these files.\n'
    printf 'version %s\nconf %s\n' "$version" "$conf"
    for role in "${roles[@]}"; do printf 'role %s\n' "$role"; done
    for index in "${!targets[@]}"; do
      target="${targets[index]}"
      # For a fragment that was changed by hand, the manifest keeps the checksum of what Charon wrote.
      if [[ ${steps[index]} == keep ]]; then
        list "$target" "${recorded["$target"]}"
      else
        list "$target" "$(checksum_of "${sources[index]}")"
      fi
    done
    if [[ ${1:-} == unfinished ]]; then
      printf 'unfinished\n'
      for target in "${!recorded[@]}"; do list "$target" "${recorded["$target"]}"; done
    fi
  } >"$copy"
  chmod 0644 "$copy"
  mv -fT "$copy" "$manifest"
}

advise() {
  local site="" role key file
  if [[ -r $conf/yarn-site.xml ]]; then site="$(without_comments "$conf/yarn-site.xml")"; fi
  for role in "${roles[@]}"; do
    if [[ $site != *"charon-$role.xml"* ]]; then
      say "add to $conf/yarn-site.xml, as the first lines in <configuration>:"
      printf '  <xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="charon-%s.xml"><xi:fallback/></xi:include>\n' "$role"
    fi
  done
  if [[ " ${roles[*]} " == *" nodemanager "* ]]; then
    if [[ $site =~ \<name\>yarn.nodemanager.aux-services\</name\>[[:space:]]*\<value\>([^<]*) &&
      ",${BASH_REMATCH[1]// /}," != *,charon,* ]]; then
      say "yarn-site.xml sets yarn.nodemanager.aux-services to '${BASH_REMATCH[1]}': add ',charon' there"
    fi
    for key in recovery.enabled recovery.supervised; do
      if [[ ! $site =~ \<name\>yarn\.nodemanager\.$key\</name\>[[:space:]]*\<value\>true ]]; then
        say "note: yarn.nodemanager.$key is not true in yarn-site.xml: a restart of the NodeManager ends its containers"
      fi
    done
  fi
  if [[ -z $installed_version ]]; then
    while IFS= read -r file; do
      [[ ! -e $file ]] || say "note: $file is left from an earlier installation: it takes precedence over yarn-site.xml"
    done < <(state_files)
  fi
  say "then restart: ${roles[*]} (docs/install.md)"
}

check() {
  [[ -n $installed_version ]] || die "no $manifest: Charon is not installed in $hadoop"
  [[ $unfinished == no ]] ||
    die "the installation of Charon $installed_version was interrupted: run install.sh of the version that you want"
  targets=()
  refuse_other_copies
  [[ -d $installed_conf ]] || die "$installed_conf is missing: if it was moved, name its new place with --conf"
  [[ -z $conf || $conf -ef $installed_conf ]] ||
    die "Charon $installed_version is installed with --conf $installed_conf: give that, or nothing, to check it"
  local target
  for target in "${!recorded[@]}"; do
    [[ -f $target ]] || die "$target is missing: run install.sh of Charon $installed_version again"
    if [[ $target != *.xml ]] && ! is_as_recorded "$target"; then
      die "$target is not the file that Charon $installed_version installed; the node is partly upgraded: remove the file and run" \
        "install.sh of the version that you want"
    fi
  done
  say "Charon $installed_version is installed in $hadoop for ${installed_roles[*]}: ${#recorded[@]} files, all as installed"
}

use_hadoop "$hadoop_option"
read_manifest "$conf"
if [[ $check_only == yes ]]; then
  check
  exit 0
fi
read_release
require_hadoop_line
require_java
if [[ -z $conf ]]; then conf="${HADOOP_CONF_DIR:-${installed_conf:-$hadoop/etc/hadoop}}"; fi
[[ -d $conf ]] || die "--conf $conf: no such directory; name the directory that holds yarn-site.xml"
conf="$(realpath -- "$conf")"
[[ -z $installed_conf || -e $installed_conf ]] ||
  die "Charon $installed_version was installed with --conf $installed_conf, which is gone: if it was moved to $conf, give" \
    "--conf $conf"
[[ -z $installed_conf || $installed_conf == "$conf" ]] ||
  die "Charon $installed_version was installed with --conf $installed_conf: give that again to keep it, or run uninstall.sh" \
    "first to use $conf"
for role in "${installed_roles[@]}"; do
  case " ${roles[*]-} " in *" $role "*) ;; *) roles+=("$role") ;; esac
done
((${#roles[@]} > 0)) || wrong_usage "no --role: nodemanager, resourcemanager, or both"
require_writable "$lib" "$conf"
require_writable "$conf" "$lib"
make_plan
require_roots_of_targets
refuse_other_copies
decide

if [[ -n $installed_version && $installed_version != "$version" ]]; then
  say "upgrading Charon $installed_version in $hadoop to $version"
else
  say "installing Charon $version in $hadoop"
fi
if [[ $dry_run == no ]]; then write_manifest unfinished; fi
for index in "${!targets[@]}"; do
  case ${steps[index]} in
    same) say "unchanged    ${targets[index]}" ;;
    keep) say "kept, yours  ${targets[index]} (this release's file is ${sources[index]})" ;;
    write)
      if [[ $dry_run == yes ]]; then
        say "would write  ${targets[index]}"
      else
        write_file "${sources[index]}" "${targets[index]}"
        say "wrote        ${targets[index]}"
      fi
      ;;
  esac
done
remove_superseded
if [[ $dry_run == yes ]]; then
  say "nothing was changed"
  exit 0
fi
write_manifest
advise
