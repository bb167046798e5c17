#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
#
# Installs or upgrades the helper ua-killer on this machine. See --help.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/common.sh"

usage() {
  cat <<'END'
Usage: install-helper.sh [--group GROUP] [--to FILE] [--dry-run]

Installs this release's ua-killer, as root. An installed one is replaced by renaming, so a helper that runs
uses the old one until it is restarted. Its group and its file capabilities (setcap) are kept.

  --group GROUP  the group that may run it, that of the NodeManager's user (default: the installed one's)
  --to FILE      where it is installed (default: /usr/local/sbin/ua-killer)
  --dry-run      print the actions; change nothing

Exit codes: 0 done, 1 refused or failed (the message names the cause and the cure), 2 wrong usage.
END
}

group=""
target=/usr/local/sbin/ua-killer
while (($# > 0)); do
  case $1 in
    --group | --to)
      (($# > 1)) || wrong_usage "$1 needs a value"
      case $1 in
        --group) group="$2" ;;
        --to) target="$2" ;;
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
[[ $target == /?* && $target != */ ]] || wrong_usage "--to $target: must be the absolute path of a file"

# Sets capabilities to those of the installed file, as setcap takes them.
read_capabilities() {
  capabilities=""
  if ! command -v getcap >/dev/null; then
    say "note: no getcap on this machine: if $target had capabilities, set them again (docs/install.md)"
    return
  fi
  capabilities="$(getcap -- "$target")" || die "cannot read the capabilities of $target: see above"
  capabilities="${capabilities#"$target"}"
  # Before version 2.41 getcap prints " = " between the path and the capabilities.
  capabilities="${capabilities#" ="}"
  capabilities="${capabilities# }"
  [[ -z $capabilities ]] || command -v setcap >/dev/null ||
    die "$target has the capabilities $capabilities, and there is no setcap to keep them: install it (libcap2-bin, libcap)"
}

((EUID == 0)) || die "only root can install the helper: run this script as root"
[[ -x $release/sbin/ua-killer ]] || die "$release/sbin/ua-killer is missing: unpack the release again"
[[ -d ${target%/*}/ ]] || die "--to $target: there is no directory ${target%/*}"
require_roots "${target%/*}/"
capabilities=""
if [[ -e $target || -L $target ]]; then
  [[ -f $target && ! -L $target ]] || die "$target is not a regular file: move it away, then run this script again"
  [[ -n $group ]] || group="$(stat -c %G -- "$target")"
  read_capabilities
fi
[[ -n $group ]] || wrong_usage "no --group: name the group of the NodeManager's user"
getent group "$group" >/dev/null || die "--group $group: there is no such group"
if [[ $dry_run == yes ]]; then
  say "would install $target for the group $group${capabilities:+, with the capabilities $capabilities}"
  exit 0
fi
copy="$(mktemp "$target.charon-new.XXXXXXXX")"
trap 'rm -f -- "$copy"' EXIT
cat -- "$release/sbin/ua-killer" >"$copy"
chown "root:$group" "$copy"
chmod 0750 "$copy"
# Only now, when nobody outside the group can run it; chown and chmod would take them away again.
if [[ -n $capabilities ]]; then
  setcap "$capabilities" "$copy" || die "$target keeps its old content: its capabilities $capabilities cannot be set"
fi
mv -fT -- "$copy" "$target"
trap - EXIT
say "installed $target for the group $group${capabilities:+, with the capabilities that it had: $capabilities}"
