#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
#
# Creates the directories of a Hadoop distribution from published jars, and installs the release into it.
# Usage: lay-out.sh DIRECTORY_OF_JARS DIRECTORY_OF_THE_RELEASE HADOOP_HOME
set -euo pipefail
jars="$1" releases="$2" hadoop="$3"
mkdir -p "$hadoop"/{bin,etc/hadoop,share/hadoop/{common/lib,hdfs,yarn/lib,mapreduce}}

for jar in "$jars"/*.jar; do
  case "${jar##*/}" in
    # The release contains Charon's jars; the others are for commands that run outside of Hadoop.
    charon-* | kernel-ua-killer-* | sls-extensions-* | picocli-* | snakeyaml-* | xchart-* | VectorGraphics2D-* | \
      jmh-* | jopt-simple-*) continue ;;
    hadoop-yarn-*) place=yarn ;;
    hadoop-mapreduce-*) place=mapreduce ;;
    hadoop-common-*) place=common ;;
    *) place=common/lib ;;
  esac
  cp "$jar" "$hadoop/share/hadoop/$place/"
done

found=("$releases"/*.tar.gz)
if ((${#found[@]} != 1)); then
  echo "lay-out.sh: ${#found[@]} releases in target: keep one (${found[*]##*/})" >&2
  exit 1
fi
mkdir -p /opt/charon
tar -xzf "${found[0]}" -C /opt/charon --strip-components=1 --no-same-owner
/opt/charon/sbin/install.sh --role resourcemanager --role nodemanager --hadoop "$hadoop" --conf "$hadoop/etc/hadoop"
