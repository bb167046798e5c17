/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/**
 * Checks whether the queues of best-effort applications have room for their ApplicationMasters,
 * which stay GUARANTEED. Their tasks use nothing of a queue, so any share that ApplicationMasters
 * may not use stays empty while jobs wait in ACCEPTED. Reads {@code capacity-scheduler.xml} next to
 * {@code yarn-site.xml}; the recipe is in docs/scheduler-resourcemanager.md.
 */
final class QueuesCheck implements Check {
  private static final String NAME = "queues";
  private static final String SCHEDULER_KEY = "yarn.resourcemanager.scheduler.class";
  private static final String CAPACITY_SCHEDULER = "CapacityScheduler";
  private static final String ENABLED_KEY = "yarn.resourcemanager.charon.best-effort.enabled";
  private static final String QUEUES_KEY = "yarn.resourcemanager.charon.best-effort.queues";
  private static final String PREFIX = "yarn.scheduler.capacity.";
  private static final String MASTERS = "maximum-am-resource-percent";
  private static final String USERS = "minimum-user-limit-percent";

  /** YARN's defaults. */
  private static final float MASTERS_DEFAULT = 0.1f;

  private static final float USERS_DEFAULT = 100;

  /** Minimum share for ApplicationMasters: half of a queue that nothing else uses. Our choice. */
  private static final float MASTERS_MIN = 0.5f;

  private final YarnSite site;

  QueuesCheck(YarnSite site) {
    this.site = site;
  }

  @Override
  public CheckResult run() {
    Optional<Path> file = site.file().map(path -> path.resolveSibling("capacity-scheduler.xml"));
    if (file.filter(Files::isRegularFile).isEmpty()) {
      return CheckResult.ok(
          NAME,
          file.map(path -> path + " does not exist").orElse("no cluster configuration was given")
              + ": run charon doctor on the ResourceManager's host to check the queues");
    }
    try {
      return check(file.get());
    } catch (IllegalArgumentException e) {
      return CheckResult.degraded(NAME, e.getMessage(), "correct the file");
    }
  }

  private CheckResult check(Path file) {
    String scheduler = site.get(SCHEDULER_KEY).orElse(CAPACITY_SCHEDULER);
    if (!scheduler.endsWith(CAPACITY_SCHEDULER)) {
      return CheckResult.ok(NAME, "not checked: %s is %s".formatted(SCHEDULER_KEY, scheduler));
    }
    if (!site.get(ENABLED_KEY).orElse("").equals("true")) {
      return CheckResult.ok(
          NAME, "%s is not true: no application is best-effort".formatted(ENABLED_KEY));
    }
    Configuration queues = read(file);
    List<String> leaves = leaves(queues);
    List<String> named = List.copyOf(site.configuration().getTrimmedStringCollection(QUEUES_KEY));
    if (named.isEmpty()) {
      return CheckResult.degraded(
          NAME,
          "%s is empty: ApplicationMasters of tagged jobs wait in ACCEPTED behind those of production"
              .formatted(QUEUES_KEY),
          "give best-effort a queue of its own (docs/scheduler-resourcemanager.md, A queue for best-effort)");
    }
    List<String> faults = new ArrayList<>();
    List<String> cures = new ArrayList<>();
    for (String name : named) {
      List<String> meant =
          leaves.stream().filter(path -> path.equals(name) || isLeaf(path, name)).toList();
      if (meant.isEmpty()) {
        faults.add("%s is not a leaf queue of %s".formatted(name, file));
        cures.add("add it, or correct %s".formatted(QUEUES_KEY));
      }
      meant.forEach(path -> check(queues, path, faults, cures));
    }
    return faults.isEmpty()
        ? CheckResult.ok(NAME, named + " have room for ApplicationMasters of several users")
        : CheckResult.degraded(
            NAME,
            String.join("; ", faults),
            String.join("; ", cures) + "; then yarn rmadmin -refreshQueues");
  }

  private static void check(
      Configuration queues, String path, Collection<String> faults, Collection<String> cures) {
    float masters =
        number(queues, PREFIX + path + "." + MASTERS)
            .or(() -> number(queues, PREFIX + MASTERS))
            .orElse(MASTERS_DEFAULT);
    if (masters < MASTERS_MIN) {
      faults.add(
          "ApplicationMasters may use %.0f %% of %s, and the rest stays unused"
              .formatted(100 * masters, path));
      cures.add("%s%s.%s = 1.0".formatted(PREFIX, path, MASTERS));
    }
    float users =
        number(queues, PREFIX + path + "." + USERS)
            .or(() -> number(queues, PREFIX + USERS))
            .orElse(USERS_DEFAULT);
    if (users >= USERS_DEFAULT) {
      faults.add("the ApplicationMasters of one user may fill " + path);
      cures.add("%s%s.%s = 25".formatted(PREFIX, path, USERS));
    }
  }

  private static boolean isLeaf(String path, String name) {
    return name.indexOf('.') < 0 && path.endsWith("." + name);
  }

  /** A queue that has no children is a leaf. */
  private static List<String> leaves(Configuration queues) {
    Set<String> leaves = new LinkedHashSet<>();
    List<String> open = new ArrayList<>(List.of("root"));
    while (!open.isEmpty()) {
      String path = open.remove(0);
      Collection<String> children = queues.getTrimmedStringCollection(PREFIX + path + ".queues");
      if (children.isEmpty()) {
        leaves.add(path);
      }
      children.forEach(child -> open.add(path + "." + child));
    }
    return List.copyOf(leaves);
  }

  private static Optional<Float> number(Configuration queues, String key) {
    String text = queues.getTrimmed(key);
    try {
      return Optional.ofNullable(text).map(Float::parseFloat);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s is '%s', which is not a number".formatted(key, text), e);
    }
  }

  private static Configuration read(Path file) {
    Configuration configuration = new Configuration(false);
    configuration.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    try {
      configuration.size(); // reads the file
      return configuration;
    } catch (RuntimeException e) {
      // Configuration wraps every parse error into a plain RuntimeException.
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }
}
