/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs a test only where this process may create memory cgroups, and prints the reason otherwise.
 */
public final class RealCgroups implements ExecutionCondition {
  private static final Path PROC = Path.of("/proc");

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    try {
      CgroupLayout layout =
          CgroupLayout.detect(PROC, "/charon-probe-" + ProcessHandle.current().pid());
      Path probe = layout.nodeDirectory(layout.memory());
      Files.createDirectory(probe);
      Files.delete(probe);
      return ConditionEvaluationResult.enabled("cgroups are writable: " + layout.hierarchies());
    } catch (IOException e) {
      String reason = "SKIPPED " + context.getDisplayName() + ": no writable cgroups here: " + e;
      System.out.println(reason);
      return ConditionEvaluationResult.disabled(reason);
    }
  }

  /**
   * Returns lines of a shell script that enter cgroups as a container's launch does; the script
   * exits with 7 if that fails.
   *
   * @param procs files into which the process writes its id
   */
  public static String entering(List<Path> procs) {
    return procs.stream()
        .map(file -> "echo $$ > " + file + " || exit 7\n")
        .collect(Collectors.joining());
  }

  /**
   * Returns the layout of this machine below a node path that belongs to the running test process.
   */
  public static CgroupLayout layout(String suffix) throws CgroupException {
    return CgroupLayout.detect(
        PROC, "/charon-test-" + ProcessHandle.current().pid() + "/" + suffix);
  }
}
