/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Checks the Java version that runs this command. Charon is built and tested with JDK 17; only a
 * clone, which builds it, needs the compiler.
 */
final class JdkCheck implements Check {
  private static final String NAME = "JDK";
  private static final String CURE = "apt-get install -y openjdk-17-jdk-headless";
  private static final int TESTED = 17;

  /** Since JDK 23, Subject.getSubject throws, which Hadoop 3.4 calls to log in. */
  private static final int FIRST_REFUSED_BY_HADOOP = 23;

  private final int feature;
  private final Path home;
  private final boolean builds;

  /**
   * Creates a check of one Java installation.
   *
   * @param feature its major version
   * @param home its directory
   * @param builds whether Charon is to be built with it
   */
  JdkCheck(int feature, Path home, boolean builds) {
    this.feature = feature;
    this.home = home;
    this.builds = builds;
  }

  /** Returns the check of the Java installation that runs this command. */
  static JdkCheck ofThisCommand(boolean builds) {
    return new JdkCheck(
        Runtime.version().feature(), Path.of(System.getProperty("java.home")), builds);
  }

  @Override
  public boolean essential() {
    return true;
  }

  @Override
  public CheckResult run() {
    String detail = "Java " + feature + " in " + home;
    if (feature < TESTED) {
      return CheckResult.missing(NAME, detail + "; Charon needs 17", CURE);
    }
    if (feature >= FIRST_REFUSED_BY_HADOOP) {
      return CheckResult.missing(
          NAME, detail + "; Hadoop 3.4 cannot log in on Java 23 and later", CURE);
    }
    if (builds && !Files.isExecutable(home.resolve("bin/javac"))) {
      return CheckResult.missing(NAME, detail + " has no compiler (bin/javac)", CURE);
    }
    if (feature > TESTED) {
      return CheckResult.degraded(NAME, detail + "; Charon is tested with 17 only", CURE);
    }
    return CheckResult.ok(NAME, detail);
  }
}
