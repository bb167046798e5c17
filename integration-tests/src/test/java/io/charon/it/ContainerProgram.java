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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The program by which LinuxContainerExecutor runs containers as other users. It is Hadoop's own if
 * the environment variable {@code CONTAINER_EXECUTOR} contains its path, and a stand-in otherwise.
 */
final class ContainerProgram {
  /** User of the containers, which exists on every system and should own none of its files. */
  static final String USER = "nobody";

  private static final Path STAND_IN = Path.of("src/test/scripts/container-executor");

  private ContainerProgram() {}

  static Path path() {
    return hadoops().orElseGet(STAND_IN::toAbsolutePath);
  }

  /** Returns whether the program is the stand-in, which also acts as Docker's daemon. */
  static boolean isStandIn() {
    return hadoops().isEmpty();
  }

  private static Optional<Path> hadoops() {
    return Optional.ofNullable(System.getenv("CONTAINER_EXECUTOR"))
        .filter(path -> !path.isBlank())
        .map(Path::of);
  }

  /**
   * Returns the properties with which a NodeManager with Charon runs containers by this program.
   */
  static Map<String, String> properties() {
    return Map.of(
        YarnConfiguration.NM_CONTAINER_EXECUTOR,
        "io.charon.nodemanager.yarn.CharonLinuxContainerExecutor",
        YarnConfiguration.NM_LINUX_CONTAINER_EXECUTOR_PATH,
        path().toString(),
        YarnConfiguration.NM_NONSECURE_MODE_LOCAL_USER_KEY,
        USER);
  }

  /** Returns the id of {@link #USER}. */
  static long userId() throws IOException {
    try (Stream<String> users = Files.lines(Path.of("/etc/passwd"))) {
      return users
          .map(line -> line.split(":", -1))
          .filter(fields -> fields[0].equals(USER))
          .mapToLong(fields -> Long.parseLong(fields[2]))
          .findFirst()
          .orElseThrow();
    }
  }

  /** Skips a test where no process can become another user, and prints the reason. */
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @WritableCgroups
  @ExtendWith(Condition.class)
  @interface Needed {}

  /** Checks for root, for the program, and for setpriv, by which the stand-in changes the user. */
  static final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      if (System.getProperty("user.name").equals("root")
          && Files.isExecutable(Path.of("/usr/bin/setpriv"))
          && Files.isExecutable(path())) {
        return ConditionEvaluationResult.enabled("containers run by " + path());
      }
      String reason =
          "SKIPPED "
              + context.getDisplayName()
              + ": needs root, setpriv of util-linux and "
              + path()
              + " to run containers as another user";
      System.out.println(reason);
      return ConditionEvaluationResult.disabled(reason);
    }
  }
}
