/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import io.charon.nodemanager.agent.CharonNode;
import io.charon.nodemanager.agent.MechanismList;
import io.charon.nodemanager.agent.Surroundings;
import io.charon.nodemanager.config.SettingsException;
import io.charon.nodemanager.config.SettingsSource;
import io.charon.web.http.WebAccess;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects the executor, the launcher and the auxiliary service, which YARN creates separately and
 * in this order: the executor creates the node, and the others find it here. This is the only
 * static state of Charon; YARN runs one NodeManager per process.
 */
final class CharonNodes {
  private static final Logger LOG = LoggerFactory.getLogger(CharonNodes.class);

  /**
   * A node and its YARN side.
   *
   * @param node the node, which does not depend on YARN
   * @param containers gives the node access to YARN's containers
   */
  record Joined(CharonNode node, YarnContainers containers) {}

  private static Optional<Joined> joined = Optional.empty();

  private CharonNodes() {}

  /**
   * Creates the node of this process.
   *
   * @param configuration the NodeManager's configuration
   * @param procRoot where proc is mounted
   * @param containers YARN's side
   * @return empty if the settings are wrong and the NodeManager is to start without Charon
   * @throws YarnRuntimeException if the settings are wrong and the NodeManager is not to start
   */
  static synchronized Optional<Joined> create(
      Configuration configuration, Path procRoot, YarnContainers containers) {
    try {
      InstallationCheck.check(configuration);
      SettingsSource.Opened opened =
          SettingsSource.open(configuration, System.getProperty("user.name"), MechanismList.keys());
      CharonNode node =
          new CharonNode(
              opened.settings(),
              Surroundings.ofThisMachine(procRoot).with(WebAccess.of(configuration)),
              containers);
      node.follow(opened.source());
      joined = Optional.of(new Joined(node, containers));
    } catch (SettingsException e) {
      joined = Optional.empty();
      refuse(e);
    }
    return joined;
  }

  /**
   * Returns the node of this process.
   *
   * @return empty if the NodeManager runs without Charon
   * @throws YarnRuntimeException if the installation is incomplete and the NodeManager is not to
   *     start
   */
  static synchronized Optional<Joined> find(Configuration configuration) {
    if (joined.isEmpty()) {
      try {
        InstallationCheck.check(configuration);
      } catch (SettingsException e) {
        refuse(e);
      }
    }
    return joined;
  }

  /** Returns the node of this process, if it has one, without checking the installation. */
  static synchronized Optional<Joined> current() {
    return joined;
  }

  /** Forgets the node when the NodeManager stops. */
  static synchronized void forget() {
    joined = Optional.empty();
  }

  private static void refuse(SettingsException e) {
    if (e.failFast()) {
      throw new YarnRuntimeException("Charon's configuration is wrong: " + e.getMessage(), e);
    }
    LOG.error(
        "the NodeManager runs WITHOUT Charon, because its configuration is wrong: {}",
        e.getMessage());
  }
}
