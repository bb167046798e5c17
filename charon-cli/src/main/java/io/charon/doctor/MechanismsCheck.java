/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import io.charon.core.law.RegulatorMode;
import io.charon.nodemanager.agent.MechanismList;
import io.charon.nodemanager.agent.MechanismList.Ability;
import io.charon.nodemanager.config.SettingsException;
import io.charon.nodemanager.config.SettingsReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/**
 * Asks each mechanism that is off by default whether it can work on this machine, as it reports
 * itself. Only what is on and cannot work is a problem.
 */
final class MechanismsCheck implements Check {
  private static final String NAME = "mechanisms";

  /** Those whose own checks know more than their readings, such as the program that they need. */
  private static final Set<String> IN_OWN_LINES =
      Set.of("cpu-burst", "cpu-pool", "disk-limit", "proactive-reclaim");

  private final KernelFiles kernel;
  private final YarnSite site;

  MechanismsCheck(KernelFiles kernel, YarnSite site) {
    this.kernel = kernel;
    this.site = site;
  }

  @Override
  public CheckResult run() {
    SortedMap<String, Ability> asked;
    try {
      asked =
          MechanismList.abilities(
              SettingsReader.read(withYarnDefaults(), MechanismList.keys()),
              kernel.proc(),
              kernel.sys());
    } catch (IllegalArgumentException | SettingsException | IOException e) {
      return CheckResult.degraded(NAME, e.getMessage(), "correct the file");
    }
    String lacking = unable(asked, true);
    String detail =
        Stream.of(
                labelled("on", able(asked, true)),
                labelled("on, does not work", lacking),
                labelled("off, would work", able(asked, false)),
                labelled("off, would not work", unable(asked, false)),
                labelled("in lines of their own", inOwnLines(asked)))
            .flatMap(Optional::stream)
            .collect(Collectors.joining("; "));
    return lacking.isEmpty()
        ? CheckResult.ok(NAME, detail)
        : CheckResult.missing(NAME, detail, "see the cure of each one, or set its mode to off");
  }

  private static Optional<String> labelled(String label, String names) {
    return names.isEmpty() ? Optional.empty() : Optional.of(label + ": " + names);
  }

  private static boolean isOn(Ability one) {
    return one.mode() != RegulatorMode.OFF;
  }

  private static String able(SortedMap<String, Ability> asked, boolean on) {
    return names(asked, (name, one) -> isOn(one) == on && !IN_OWN_LINES.contains(name));
  }

  private static String inOwnLines(SortedMap<String, Ability> asked) {
    return names(asked, (name, one) -> IN_OWN_LINES.contains(name));
  }

  /** Names those that can work and fulfil a condition. */
  private static String names(
      SortedMap<String, Ability> asked, BiPredicate<String, Ability> condition) {
    return asked.entrySet().stream()
        .filter(one -> one.getValue().availability().isAvailable())
        .filter(one -> condition.test(one.getKey(), one.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.joining(", "));
  }

  /** Names those that cannot work, each reason after all that have it. */
  private static String unable(SortedMap<String, Ability> asked, boolean on) {
    Map<String, List<String>> byReason = new LinkedHashMap<>();
    asked.forEach(
        (name, one) ->
            one.availability()
                .missing()
                .filter(why -> isOn(one) == on)
                .ifPresent(
                    why -> byReason.computeIfAbsent(why, each -> new ArrayList<>()).add(name)));
    return byReason.entrySet().stream()
        .map(one -> "%s (%s)".formatted(String.join(", ", one.getValue()), one.getKey()))
        .collect(Collectors.joining(", "));
  }

  private Configuration withYarnDefaults() {
    Configuration configuration = new Configuration(false);
    configuration.addResource("yarn-default.xml");
    site.configuration().forEach(one -> configuration.set(one.getKey(), one.getValue()));
    return configuration;
  }
}
