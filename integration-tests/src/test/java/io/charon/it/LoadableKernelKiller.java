/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips a test where the kernel UA killer cannot be built or loaded, or where there is no zram for
 * swap, and prints the reason.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(LoadableKernelKiller.Condition.class)
@interface LoadableKernelKiller {
  /**
   * Builds the native programs and runs their self-test. All tiers are measured, so tier 1 must
   * work.
   */
  final class Condition implements ExecutionCondition {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final String BUILD = "make -s -C kernel-ua-killer/src/main/native";
    private static final String SELF_TEST =
        "kernel-ua-killer/target/native/ua-killer self-test | tee /dev/stderr | grep -q '^tier 1:'";
    private static final String ZRAM = "test -e /sys/class/zram-control/hot_add || modprobe zram";

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      for (String command : List.of(BUILD, SELF_TEST, ZRAM)) {
        Optional<String> failure = failure(command);
        if (failure.isPresent()) {
          String reason =
              "SKIPPED " + context.getDisplayName() + ": " + command + ": " + failure.get();
          System.out.println(reason);
          return ConditionEvaluationResult.disabled(reason);
        }
      }
      return ConditionEvaluationResult.enabled("the kernel UA killer works here");
    }

    private static Optional<String> failure(String command) {
      try {
        TimedProgram.Result result =
            TimedProgram.run(
                new ProcessBuilder("sh", "-c", command).directory(ROOT.toFile()), LIMIT);
        return result.exitCode() == 0 ? Optional.empty() : Optional.of(result.said().strip());
      } catch (IOException e) {
        return Optional.of(e.getMessage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return Optional.of("interrupted");
      }
    }
  }
}
