# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Debian's archive for guests. apt gets its own configuration, sources and state in a directory and only reads those
# of the machine, and Debian's keyring checks every signature. The archives are those for which this machine is
# configured, whichever mirror that is, but with other suites.

die() { echo "$*" >&2; exit 1; }

archive() { # label of the archive
  # shellcheck disable=SC2016 # expanded by apt
  env -u APT_CONFIG apt-get indextargets --format '$(ORIGIN)/$(LABEL) $(REPO_URI)' 'Created-By: Packages' |
    sed -n "s:^Debian/$1 ::p" | head -1
}

suites() { # uri suites architecture
  printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nArchitectures: %s\nTargets: Packages\n' "$@"
  printf 'Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n\n'
}

# Afterwards, apt in this shell knows these suites and no installed package.
use_archive() { # directory suites-of-debian suites-of-its-security architecture
  local cache=$1 debian security
  mkdir -p "$cache"/{lists/partial,archives/partial}
  debian=$(archive Debian)
  security=$(archive Debian-Security)
  if [ -z "$debian" ] || [ -z "$security" ]; then
    die "this machine's apt has no lists of Debian's archives; run apt-get update (other systems are not served)"
  fi
  { suites "$debian" "$2" "$4"; suites "$security" "$3" "$4"; } >"$cache/guests.sources"
  : >>"$cache/status"
  cat >"$cache/apt.conf" <<CONF
Dir::Etc::SourceList "$cache/guests.sources";
Dir::Etc::SourceParts "/dev/null";
Dir::State "$cache";
Dir::State::Lists "$cache/lists";
Dir::State::Status "$cache/status";
Dir::Cache "$cache";
APT::Architecture "$4";
APT::Architectures "$4";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Retries "2";
Acquire::http::Timeout "20";
CONF
  export APT_CONFIG=$cache/apt.conf
  # One update serves all guests for an hour. If the archive cannot be reached (which is retried after two minutes),
  # the downloads of an earlier run are used.
  if [ -z "$(find "$cache/updated" -mmin -60 2>/dev/null)$(find "$cache/unreachable" -mmin -2 2>/dev/null)" ]; then
    rm -f "$cache/unreachable"
    if apt-get -qq --error-on=any update >"$cache/update.log" 2>&1; then touch "$cache/updated"
    else touch "$cache/unreachable"; fi
  fi
}
