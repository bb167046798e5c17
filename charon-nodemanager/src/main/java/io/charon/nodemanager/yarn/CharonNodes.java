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
 * Joins the executor, the launcher and the auxiliary service, which YARN creates separately and in
 * this order: the executor makes the node, the others find it. The only static state of Charon; one
 * NodeManager per process, as YARN runs them.
 */
final class CharonNodes {
  private static final Logger LOG = LoggerFactory.getLogger(CharonNodes.class);

  /**
   * A node and the YARN side of it.
   *
   * @param node knows nothing of YARN
   * @param containers reaches YARN's containers for it
   */
  record Joined(CharonNode node, YarnContainers containers) {}

  private static Optional<Joined> joined = Optional.empty();

  private CharonNodes() {}

  /**
   * Makes the node of this process.
   *
   * @param configuration the NodeManager's
   * @param procRoot where proc is mounted
   * @param containers YARN's side
   * @return nothing if the settings are wrong and the NodeManager shall start without Charon
   * @throws YarnRuntimeException if they are wrong and it shall not
   */
  static synchronized Optional<Joined> create(
      Configuration configuration, Path procRoot, YarnContainers containers) {
    try {
      Installation.check(configuration);
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
   * The node of this process.
   *
   * @return nothing if the NodeManager runs without Charon
   * @throws YarnRuntimeException if an incomplete installation shall stop the NodeManager
   */
  static synchronized Optional<Joined> find(Configuration configuration) {
    if (joined.isEmpty()) {
      try {
        Installation.check(configuration);
      } catch (SettingsException e) {
        refuse(e);
      }
    }
    return joined;
  }

  /** The node of this process, if it has one; checks nothing. */
  static synchronized Optional<Joined> current() {
    return joined;
  }

  /** Forgets the node, when the NodeManager stops. */
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
