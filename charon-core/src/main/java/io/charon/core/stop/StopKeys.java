/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.stop;

/**
 * The keys of an order to stop or resume, which differ by the place where it is written.
 *
 * @param action key of what happens to the running containers
 * @param by key of the user who gave the order
 * @param since key of the time of the order
 * @param reason key of the reason
 */
public record StopKeys(String action, String by, String since, String reason) {
  /** The keys in a node's configuration and overrides file. */
  public static final StopKeys NODE =
      new StopKeys(
          "yarn.nodemanager.charon.stop.action",
          "yarn.nodemanager.charon.stop.by",
          "yarn.nodemanager.charon.stop.since",
          "yarn.nodemanager.charon.stop.reason");

  /** The keys in the file on a ResourceManager's host that stops the cluster. */
  public static final StopKeys CLUSTER =
      new StopKeys(
          "yarn.resourcemanager.charon.stop.action",
          "yarn.resourcemanager.charon.stop.by",
          "yarn.resourcemanager.charon.stop.since",
          "yarn.resourcemanager.charon.stop.reason");

  /** The keys in a message to a node or a command, and in what the node keeps of it. */
  public static final StopKeys MESSAGE = new StopKeys("action", "by", "since", "reason");
}
