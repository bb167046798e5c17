/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Configures where a ResourceManager stores attributes of nodes. */
final class NodeAttributes {
  private NodeAttributes() {}

  /**
   * Separates the store from that of other processes, which by default is in the same folder of
   * /tmp.
   */
  static void keepApart(Configuration configuration) {
    configuration.set(
        YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
        Path.of("target", "node-attributes-" + ProcessHandle.current().pid())
            .toAbsolutePath()
            .toUri()
            .toString());
  }
}
