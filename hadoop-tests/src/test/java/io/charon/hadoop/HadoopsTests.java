/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs a class of Hadoop's tests as it is, whatever JUnit it was written for. */
final class HadoopsTests {
  private HadoopsTests() {}

  /**
   * Runs one of several parts of the tests of a class, all of which must pass; otherwise as {@link
   * #run(String, Class, Map)}.
   *
   * @param part 0 to {@code parts} - 1
   */
  static void runPart(String mode, Class<?> tests, int part, int parts) throws IOException {
    run(mode, tests, Map.of(), name -> Math.floorMod(name.hashCode(), parts) == part);
  }

  /**
   * Runs all tests of a class; those that are expected to differ must fail, all others must pass.
   * One that fails runs once more by itself: where a machine is busy, Hadoop's tests ask for the
   * next container before their last one has started, and count on what comes of that.
   *
   * @param mode of Charon
   * @param tests one of Hadoop's test classes, with Charon installed
   * @param differences names of the tests whose promises Charon does not keep, and what it does
   *     instead
   */
  static void run(String mode, Class<?> tests, Map<String, String> differences) throws IOException {
    run(mode, tests, differences, name -> true);
  }

  private static void run(
      String mode, Class<?> tests, Map<String, String> differences, Predicate<String> chosen)
      throws IOException {
    System.setProperty(InstalledCharon.MODE, mode);
    Files.createDirectories(Path.of("target")); // theirs are made in there
    Outcomes outcomes = execute(selectClass(tests), chosen);
    assertThat(outcomes.passed.size() + outcomes.failed.size())
        .as("tests of " + tests.getSimpleName() + " that ran")
        .isPositive();
    Map<String, TestIdentifier> again = new TreeMap<>(outcomes.failed);
    again.keySet().removeAll(differences.keySet());
    again.forEach(
        (name, test) -> {
          boolean passes =
              execute(selectUniqueId(test.getUniqueId()), chosen).passed.contains(name);
          System.out.printf(
              "mode %s: %s failed (%s), and %s at its second attempt%n",
              mode, name, outcomes.reasons.get(name), passes ? "passed" : "failed");
          if (passes) {
            outcomes.failed.remove(name);
          }
        });
    assertThat(outcomes.failed.keySet())
        .as("failed in mode %s: %s; passed: %s", mode, outcomes.reasons, outcomes.passed)
        .containsExactlyInAnyOrderElementsOf(differences.keySet());
  }

  private static Outcomes execute(DiscoverySelector tests, Predicate<String> chosen) {
    Outcomes outcomes = new Outcomes();
    PostDiscoveryFilter filter =
        test ->
            FilterResult.includedIf(test.isContainer() || chosen.test(name(test.getDisplayName())));
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(tests).filters(filter).build();
    LauncherFactory.create().execute(request, outcomes);
    return outcomes;
  }

  private static String name(String displayName) {
    return displayName.replace("()", "");
  }

  private static final class Outcomes implements TestExecutionListener {
    private final List<String> passed = new ArrayList<>();
    private final Map<String, TestIdentifier> failed = new TreeMap<>();
    private final Map<String, String> reasons = new TreeMap<>();

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      String name = name(test.getDisplayName());
      if (result.getStatus() == TestExecutionResult.Status.FAILED) {
        failed.put(name, test);
        // On one line, which the script of the test run reads.
        reasons.put(
            name,
            result.getThrowable().map(why -> why.toString().replaceAll("\\s+", " ")).orElse(""));
        result.getThrowable().ifPresent(Throwable::printStackTrace);
      } else if (test.isTest()) {
        passed.add(name);
      }
    }
  }
}
