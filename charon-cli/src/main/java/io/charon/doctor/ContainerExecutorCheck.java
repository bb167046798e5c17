/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import io.charon.doctor.ContainerExecutorSetup.Finding;
import io.charon.nodemanager.config.Isolation;
import io.charon.nodemanager.config.LinuxIsolation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/**
 * Checks which executor runs containers. With LinuxContainerExecutor, containers start in Charon's
 * cgroups (isolation {@code own}), unless YARN or Docker creates the cgroups ({@code attach}).
 */
final class ContainerExecutorCheck implements Check {
  private static final String NAME = "LinuxContainerExecutor";
  private static final String KEY = "yarn.nodemanager.container-executor.class";
  private static final String YARNS =
      "org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor";

  private static final String CHARONS = "io.charon.nodemanager.yarn.CharonLinuxContainerExecutor";

  private static final String ATTACH =
      "isolation attach: YARN or Docker creates the cgroups of containers, and Charon "
          + "adopts them: ";
  private static final String BESIDE =
      "isolation beside: on cgroup v1 Charon creates cgroups in the hierarchies that "
          + "YARN does not use; on v2 isolation attach, where it adopts YARN's: ";

  /** Reported as a cure, because the operator has to choose. */
  private static final String NOT_ATTACHED =
      "none if this is intended: with attach the memory limit is not enforced, there is "
          + "no limit of CPU, cores, disk and network for best-effort and no freeze, and the "
          + "kernel killer works only where root lets it kill in YARN's hierarchy "
          + "(docs/install.md); without these keys Charon creates the cgroups itself and has "
          + "all of these functions";

  private final YarnSite site;
  private final ContainerExecutorSetup setup;

  ContainerExecutorCheck(YarnSite site, ContainerExecutorSetup setup) {
    this.site = site;
    this.setup = setup;
  }

  @Override
  public CheckResult run() {
    Optional<Path> file = site.file();
    if (file.isEmpty()) {
      return CheckResult.ok(
          NAME,
          "no cluster configuration was given (--conf DIR or HADOOP_CONF_DIR);"
              + " with LinuxContainerExecutor, set "
              + KEY
              + " to "
              + CHARONS);
    }
    if (!Files.isRegularFile(file.get())) {
      return CheckResult.degraded(
          NAME,
          file.get() + " does not exist: the container executor is unknown",
          "set --conf or HADOOP_CONF_DIR to the directory that holds yarn-site.xml");
    }
    String executor;
    try {
      executor = site.get(KEY).orElse("");
    } catch (IllegalArgumentException e) {
      return CheckResult.degraded(NAME, e.getMessage(), "correct the file");
    }
    if (executor.equals(YARNS)) {
      return CheckResult.missing(
          NAME,
          KEY + " in " + file.get() + " is YARN's own: its containers run without Charon",
          "set it to " + CHARONS + " (docs/install.md)");
    }
    if (executor.equals(CHARONS)) {
      return isolation(file.get());
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

  private CheckResult isolation(Path file) {
    Configuration configuration = site.configuration();
    List<String> problems = LinuxIsolation.problems(configuration);
    if (!problems.isEmpty()) {
      return CheckResult.missing(
          NAME, "the NodeManager runs without Charon", String.join("; ", problems));
    }
    Isolation isolation = LinuxIsolation.of(configuration);
    String who =
        isolation.attaches()
            ? (isolation.memoryCountedByOthers() ? ATTACH : BESIDE)
                + String.join("; ", isolation.makers())
            : "isolation own: containers start in Charon's cgroups";
    Path limits = file.resolveSibling("container-executor.cfg");
    try {
      List<Finding> findings = setup.findings(limits, configuration);
      if (!findings.isEmpty()) {
        return new CheckResult(
            NAME,
            findings.stream().map(Finding::status).max(Comparator.naturalOrder()).orElseThrow(),
            who + "; but " + joined(findings, Finding::problem),
            joined(findings, Finding::cure));
      }
      who +=
          "; "
              + limits
              + ContainerExecutorSetup.knownUser(configuration)
                  .map(user -> " does not forbid " + user)
                  .orElse(" is in order; containers run as the users who submit them");
    } catch (IOException e) {
      who += "; whom " + limits + " forbids is unknown, because it cannot be read";
    }
    return isolation.attaches()
        ? CheckResult.degraded(NAME, who, NOT_ATTACHED)
        : CheckResult.ok(NAME, who);
  }

  private static String joined(List<Finding> findings, Function<Finding, String> part) {
    return findings.stream().map(part).collect(Collectors.joining("; "));
  }
}
