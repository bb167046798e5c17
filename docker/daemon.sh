#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
#
# Runs one daemon of YARN in the foreground: charon-daemon resourcemanager|nodemanager
set -euo pipefail

# Prints the limit of this container's memory cgroup in MiB, or the machine's memory if there is no limit.
node_memory_mb() {
  local limit="" total
  total="$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo)"
  for file in /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes; do
    if [[ -r $file ]]; then
      limit="$(<"$file")"
      break
    fi
  done
  # v1 shows "no limit" as a number above the memory of any machine.
  if [[ $limit =~ ^[0-9]{1,18}$ ]] && ((limit / 1024 < total)); then
    echo $((limit / 1048576))
  else
    echo $((total / 1024))
  fi
}

export CHARON_HTTP_FILTERS=org.apache.hadoop.http.lib.StaticUserWebFilter
case "${1:-}" in
  resourcemanager) class=org.apache.hadoop.yarn.server.resourcemanager.ResourceManager ;;
  nodemanager)
    class=org.apache.hadoop.yarn.server.nodemanager.NodeManager
    CHARON_HTTP_FILTERS+=,io.charon.nodemanager.yarn.NodePagesInitializer
    # The memory for reservations: 90 % of the node, as in the paper (section 5.1).
    CHARON_NODE_OFFERED_MB="${CHARON_NODE_OFFERED_MB:-$(($(node_memory_mb) * 9 / 10))}"
    export CHARON_NODE_OFFERED_MB
    ;;
  *)
    echo "usage: charon-daemon resourcemanager|nodemanager" >&2
    exit 2
    ;;
esac

path="$HADOOP_CONF_DIR"
for part in common hdfs yarn mapreduce; do
  path+=":$HADOOP_HOME/share/hadoop/$part/*:$HADOOP_HOME/share/hadoop/$part/lib/*"
done
java="$(command -v java)"
JAVA_HOME="${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$java")")")}"
export JAVA_HOME
exec "$JAVA_HOME/bin/java" --add-opens=java.base/java.lang=ALL-UNNAMED -Xmx"${CHARON_DAEMON_HEAP:-320m}" \
  -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$path" "$class"
