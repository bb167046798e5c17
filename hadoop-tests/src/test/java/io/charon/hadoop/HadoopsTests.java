/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs a class of Hadoop's tests as it is, whatever JUnit it was written for. */
final class HadoopsTests {
  private HadoopsTests() {}

  /**
   * Runs all tests of a class; those that are expected to differ must fail, all others must pass.
   *
   * @param mode of Charon
   * @param tests one of Hadoop's test classes, with Charon installed
   * @param differences names of the tests whose promises Charon does not keep, and what it does
   *     instead
   */
  static void run(String mode, Class<?> tests, Map<String, String> differences) throws IOException {
    System.setProperty(InstalledCharon.MODE, mode);
    Files.createDirectories(Path.of("target")); // theirs are made in there
    Outcomes outcomes = new Outcomes();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectClass(tests)).build();
    LauncherFactory.create().execute(request, outcomes);
    assertThat(outcomes.passed.size() + outcomes.failed.size())
        .as("tests of " + tests.getSimpleName() + " that ran")
        .isPositive();
    assertThat(outcomes.failed.keySet())
        .as("failed in mode %s: %s; passed: %s", mode, outcomes.failed, outcomes.passed)
        .containsExactlyInAnyOrderElementsOf(differences.keySet());
  }

  private static final class Outcomes implements TestExecutionListener {
    private final List<String> passed = new ArrayList<>();
    private final Map<String, String> failed = new TreeMap<>();

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      String name = test.getDisplayName().replace("()", "");
      if (result.getStatus() == TestExecutionResult.Status.FAILED) {
        failed.put(name, result.getThrowable().map(Throwable::toString).orElse(""));
        result.getThrowable().ifPresent(Throwable::printStackTrace);
      } else if (test.isTest()) {
        passed.add(name);
      }
    }
  }
}
