/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Whether the cluster uses the LinuxContainerExecutor, which Charon does not serve yet. */
final class ContainerExecutorCheck implements Check {
  private static final String NAME = "LinuxContainerExecutor";
  private static final String KEY = "yarn.nodemanager.container-executor.class";
  private static final String UNSERVED =
      "org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor";

  private final YarnSite site;

  ContainerExecutorCheck(YarnSite site) {
    this.site = site;
  }

  @Override
  public CheckResult run() {
    Optional<Path> file = site.file();
    if (file.isEmpty()) {
      return CheckResult.ok(
          NAME,
          "no cluster configuration was given (--conf DIR or HADOOP_CONF_DIR);"
              + " clusters that use LinuxContainerExecutor are not served yet");
    }
    if (!Files.isRegularFile(file.get())) {
      return CheckResult.degraded(
          NAME,
          file.get() + " does not exist: the container executor is not known",
          "let --conf or HADOOP_CONF_DIR name the directory that holds yarn-site.xml");
    }
    String executor;
    try {
      executor = site.get(KEY).orElse("");
    } catch (IllegalArgumentException e) {
      return CheckResult.degraded(NAME, e.getMessage(), "correct the file");
    }
    if (executor.equals(UNSERVED)) {
      return CheckResult.missing(
          NAME,
          "not served yet: " + KEY + " in " + file.get() + " is LinuxContainerExecutor",
          "try Charon on a cluster that runs containers with DefaultContainerExecutor");
    }
    return CheckResult.ok(
        NAME,
        "not in use: "
            + KEY
            + " in "
            + file.get()
            + " is "
            + (executor.isEmpty() ? "not set" : executor));
  }
}
