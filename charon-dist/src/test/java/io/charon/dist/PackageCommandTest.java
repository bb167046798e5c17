/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PackageCommandTest {
  @TempDir Path directory;
  private final StringWriter err = new StringWriter();

  @Test
  void aTimeThatIsNoNumberIsNamed() {
    assertThat(run(Map.of("SOURCE_DATE_EPOCH", "yesterday"))).isEqualTo(1);
    assertThat(err.toString())
        .contains("SOURCE_DATE_EPOCH=yesterday is not a number of seconds since 1970");
  }

  @Test
  void withoutARepositoryTheTimeMustBeGiven() {
    assertThat(run(Map.of())).isEqualTo(1);
    assertThat(err.toString()).contains("the time of the last commit", "set SOURCE_DATE_EPOCH");
  }

  private int run(Map<String, String> environment) {
    return new CommandLine(new PackageCommand(directory, environment))
        .setErr(new PrintWriter(err, true))
        .execute("--out", directory.toString());
  }
}
