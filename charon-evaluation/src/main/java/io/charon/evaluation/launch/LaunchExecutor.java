/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.launch;

import io.charon.nodemanager.yarn.CharonContainerExecutor;
import io.charon.nodemanager.yarn.CharonLinuxContainerExecutor;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor;

/** The pair of executors that starts containers. */
public enum LaunchExecutor {
  /** Starts containers as the NodeManager's own user. */
  DEFAULT("default"),

  /** Starts containers as another user, by the setuid program {@code container-executor}. */
  LINUX("linux");

  private final String label;

  LaunchExecutor(String label) {
    this.label = label;
  }

  /** Returns the executor with that name. */
  public static Optional<LaunchExecutor> of(String label) {
    return Arrays.stream(values()).filter(one -> one.label.equals(label)).findFirst();
  }

  /** Returns the name on the command line. */
  public String label() {
    return label;
  }

  /** Returns YARN's executor. */
  ContainerExecutor stock() {
    return switch (this) {
      case DEFAULT -> new DefaultContainerExecutor();
      case LINUX -> new LinuxContainerExecutor();
    };
  }

  /** Returns Charon's executor, which extends YARN's. */
  ContainerExecutor charon() {
    return switch (this) {
      case DEFAULT -> new CharonContainerExecutor();
      case LINUX -> new CharonLinuxContainerExecutor();
    };
  }
}
