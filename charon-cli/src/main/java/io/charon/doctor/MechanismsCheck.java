/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import io.charon.core.mechanism.Availability;
import io.charon.nodemanager.agent.MechanismList;
import io.charon.nodemanager.config.SettingsException;
import io.charon.nodemanager.config.SettingsReader;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/** Checks whether the mechanisms that are on can work on this machine, as each reports itself. */
final class MechanismsCheck implements Check {
  private static final String NAME = "mechanisms";

  private final KernelFiles kernel;
  private final YarnSite site;

  MechanismsCheck(KernelFiles kernel, YarnSite site) {
    this.kernel = kernel;
    this.site = site;
  }

  @Override
  public CheckResult run() {
    Map<String, Availability> asked;
    try {
      asked =
          MechanismList.availability(
              SettingsReader.read(withYarnDefaults(), MechanismList.keys()),
              kernel.proc(),
              kernel.sys());
    } catch (IllegalArgumentException | SettingsException | IOException e) {
      return CheckResult.degraded(NAME, e.getMessage(), "correct the file");
    }
    if (asked.isEmpty()) {
      return CheckResult.ok(NAME, "all mechanisms that are off by default are off");
    }
    String on = "on: " + String.join(", ", asked.keySet());
    String missing =
        asked.entrySet().stream()
            .flatMap(one -> one.getValue().missing().stream().map(why -> one.getKey() + ": " + why))
            .collect(Collectors.joining("; "));
    return missing.isEmpty()
        ? CheckResult.ok(NAME, on)
        : CheckResult.missing(
            NAME,
            on + "; without effect: " + missing,
            "see the cure of each one, or set its mode to off");
  }

  private Configuration withYarnDefaults() {
    Configuration configuration = new Configuration(false);
    configuration.addResource("yarn-default.xml");
    site.configuration().forEach(one -> configuration.set(one.getKey(), one.getValue()));
    return configuration;
  }
}
