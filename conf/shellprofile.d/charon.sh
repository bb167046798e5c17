#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
#
# Makes CharonNodeManager the main class of `yarn nodemanager` and of `yarn --daemon start nodemanager`. Copy this
# file to $HADOOP_CONF_DIR/shellprofile.d on every node. Without it, the keys in yarn-site.xml make the drop-in
# (docs/scheduler.md).

# The `yarn` command calls a function of this name instead of its own case for the subcommand. The function keeps
# everything that this case sets up, whatever the Hadoop version; only the class differs.
function yarn_subcommand_nodemanager {
  yarncmd_case nodemanager "$@"
  # Read by the `yarn` command.
  # shellcheck disable=SC2034
  HADOOP_CLASSNAME=io.charon.nodemanager.yarn.CharonNodeManager
}
