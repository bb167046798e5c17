# shellcheck shell=bash
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
#
# What bin/charon and the test run need to know about this machine: a JDK, Maven, and the build directories. Sourced
# by scripts that have set root, the directory of the clone.

oldest_java=17
newest_java=22 # Hadoop 3.4 calls Subject.getSubject, which throws since JDK 23.

say() { printf 'charon: %s\n' "$*" >&2; }
die() {
  say "$@"
  exit 1
}

# Prints the major version of the JDK in directory $1; fails if there is no compiler or no version.
jdk_major() {
  [[ -x $1/bin/javac && -r $1/release ]] || return 1
  local version
  version="$(sed -n 's/^JAVA_VERSION="\([0-9][0-9]*\).*/\1/p' "$1/release")"
  [[ -n $version ]] && printf '%s' "$version"
}

# Prints the directories that may hold a JDK, the user's choice first.
jdk_candidates() {
  if [[ -n ${JAVA_HOME:-} ]]; then printf '%s\n' "$JAVA_HOME"; fi
  local on_path
  if on_path="$(command -v javac)"; then
    dirname "$(dirname "$(readlink -f "$on_path")")"
  fi
  local home
  for home in /usr/lib/jvm/*; do
    if [[ -d $home ]]; then printf '%s\n' "$home"; fi
  done
}

# Sets jdk to the first JDK 17, else to the first JDK of a version that can run Hadoop.
find_jdk() {
  local home major usable=""
  jdk=""
  while IFS= read -r home; do
    major="$(jdk_major "$home")" || continue
    if ((major == oldest_java)); then
      jdk="$home"
      return
    fi
    if [[ -z $usable ]] && ((major > oldest_java && major <= newest_java)); then usable="$home"; fi
  done < <(jdk_candidates)
  jdk="$usable"
}

has_fonts() {
  [[ -n "$(find /usr/share/fonts /usr/local/share/fonts "${HOME:-/root}/.fonts" \
    "${HOME:-/root}/.local/share/fonts" \( -name '*.ttf' -o -name '*.otf' -o -name '*.pfb' \) \
    -print -quit 2>/dev/null)" ]]
}

# Sets packages to the missing Debian packages for subcommand $1.
find_missing() {
  packages=()
  find_jdk
  if [[ -z $jdk ]]; then packages+=("openjdk-17-jdk-headless"); fi
  command -v mvn >/dev/null || packages+=(maven)
  command -v git >/dev/null || packages+=(git)
  # The demo's tasks are written in C.
  if [[ $1 == demo || $1 == cluster || $1 == test ]] && ! command -v cc >/dev/null; then packages+=(gcc libc6-dev); fi
  # Java draws text, also into an SVG file, only if a font is installed.
  if [[ $1 == demo || $1 == test || $1 == bench || $1 == tune ]] && ! has_fonts; then packages+=(fontconfig fonts-dejavu-core); fi
}

# Installs the packages for subcommand $1. A test run has a deadline, so this has one there, too; a user can wait.
install_missing() {
  local bounded=()
  if [[ $1 == test ]]; then bounded=(timeout --foreground 600); fi
  # On a machine that has just been started, unattended upgrades may hold apt's lock for minutes.
  local wait_for_lock=DPkg::Lock::Timeout=300
  export DEBIAN_FRONTEND=noninteractive
  say "installing ${packages[*]}"
  "${bounded[@]}" apt-get -qq update >&2 || say "apt-get update failed; trying with the existing package lists"
  local index
  for index in "${!packages[@]}"; do
    # Newer Debian releases no longer have JDK 17.
    if [[ ${packages[index]} == openjdk-17-jdk-headless ]] &&
      [[ -z "$(apt-cache --quiet=0 show openjdk-17-jdk-headless 2>/dev/null)" ]]; then
      packages[index]=openjdk-21-jdk-headless
    fi
  done
  "${bounded[@]}" apt-get -qq -o "$wait_for_lock" install -y --no-install-recommends "${packages[@]}" >&2 ||
    die "the installation failed${bounded:+, or took more than 10 minutes}; run it by hand: apt-get install -y ${packages[*]}"
}

prepare_machine() {
  find_missing "$1"
  if ((${#packages[@]} == 0)); then return; fi
  if command -v apt-get >/dev/null && ((EUID == 0)); then
    install_missing "$1"
    find_missing "$1"
    if ((${#packages[@]} == 0)); then return; fi
    die "still missing after the installation: ${packages[*]}"
  fi
  if [[ -z $jdk ]]; then
    say "no JDK $oldest_java to $newest_java in JAVA_HOME (${JAVA_HOME:-not set}), PATH or /usr/lib/jvm"
  fi
  if command -v apt-get >/dev/null; then
    die "missing: ${packages[*]}. Run: sudo apt-get install -y ${packages[*]}"
  fi
  die "missing (by their Debian names): ${packages[*]}. Install them with this system's package manager."
}

# Whether the command in the arguments uses the kernel UA killer and its programs.
uses_kernel_killer() {
  case " $* " in *" --help "* | *" -h "*) return 1 ;; esac
  case "${1:-} ${2:-}" in
  "bench sls" | "bench micro" | "bench kill-delays" | "bench ") return 1 ;;
  "demo "* | "cluster "* | "bench "*) return 0 ;;
  esac
  return 1
}

# What uses the kernel UA killer needs programs to build it. If it cannot be built, the demo and the cluster run without
# it and say so.
prepare_kernel_killer() {
  if ! uses_kernel_killer "$@" || ((EUID != 0)); then return; fi
  if [[ ! -r /sys/kernel/btf/vmlinux || -x ${root:?}/kernel-ua-killer/target/native/ua-killer ]]; then return; fi
  if ! command -v apt-get >/dev/null; then return; fi
  say "installing the packages to build the kernel UA killer, if they are missing"
  local log
  log="$(mktemp)"
  if ! "${root:?}/kernel-ua-killer/install-packages.sh" >"$log" 2>&1; then
    say "not installed: $(tail -n 1 "$log")"
  fi
  rm -f "$log"
}

# Prints the full version of the Hadoop line $1, such as 3.4, from pom.xml.
hadoop_version() {
  sed -n "s:.*<hadoop\.version>\(${1//./\\.}\.[0-9.]*\)</hadoop\.version>.*:\1:p" "${root:?}/pom.xml"
}

# Finds or installs what the command in the arguments needs, and exports JAVA_HOME.
prepare() {
  prepare_machine "${1:-}"
  if [[ "$(jdk_major "$jdk")" != "$oldest_java" ]]; then
    say "note: running on the JDK in $jdk; Charon is tested with JDK $oldest_java only"
  fi
  export JAVA_HOME="$jdk"
  prepare_kernel_killer "$@"
}

# Prints the directory into which the commands of Hadoop version $1 are built.
home_of() {
  printf '%s' "$root/charon-dist/target/hadoop-$1"
}

# Builds for Hadoop version $1 with the command in the other arguments, and records when the build began: sources that
# change during the build have to count as newer.
build_by() {
  local stamp
  stamp="$(home_of "$1")/.charon-built"
  shift
  mkdir -p "${stamp%/*}"
  touch "$stamp.started"
  "$@" && mv "$stamp.started" "$stamp"
}
