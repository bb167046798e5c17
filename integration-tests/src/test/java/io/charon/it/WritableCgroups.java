/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips a test where no memory cgroup can be created, and prints the reason. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(WritableCgroups.Condition.class)
@interface WritableCgroups {
  /** Checks for a memory controller that this process may use. */
  final class Condition implements ExecutionCondition {
    private static final Path VERSION_1 = Path.of("/sys/fs/cgroup/memory");
    private static final Path VERSION_2 = Path.of("/sys/fs/cgroup/cgroup.subtree_control");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      if (Files.isWritable(VERSION_1) || Files.isWritable(VERSION_2)) {
        return ConditionEvaluationResult.enabled("memory cgroups are writable");
      }
      String reason = "SKIPPED " + context.getDisplayName() + ": no writable memory cgroups here";
      System.out.println(reason);
      return ConditionEvaluationResult.disabled(reason);
    }
  }
}
