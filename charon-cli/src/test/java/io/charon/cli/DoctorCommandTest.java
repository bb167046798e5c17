/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.doctor.CheckResult;
import io.charon.doctor.CheckStatus;
import io.charon.doctor.Diagnosis;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class DoctorCommandTest {
  private static final List<CheckResult> RESULTS =
      List.of(
          new CheckResult("swap", CheckStatus.OK, "none", ""),
          new CheckResult("PSI", CheckStatus.MISSING, "no \u001b[31mfile", "boot with psi=1"));

  private final StringWriter out = new StringWriter();

  @Test
  void textShowsCureAndSum() {
    assertThat(run(true)).isZero();
    assertThat(out.toString())
        .contains("missing   PSI", "cure: boot with psi=1", "1 ok, 0 degraded, 1 missing")
        .contains("\\u{1b}[31m")
        .endsWith("Charon can run here." + System.lineSeparator());
  }

  @Test
  void jsonHasTheFourFieldsOfEachCheck() throws IOException {
    assertThat(run(true, "--json")).isZero();
    JsonNode expected =
        new ObjectMapper()
            .readTree(
                """
                {"checks":[
                  {"name":"swap","status":"ok","detail":"none","cure":""},
                  {"name":"PSI","status":"missing","detail":"no \\u001b[31mfile","cure":"boot with psi=1"}]}
                """);
    assertThat(new ObjectMapper().readTree(out.toString())).isEqualTo(expected);
  }

  @Test
  void exitCodeTellsThatCharonCannotRun() {
    assertThat(run(false)).isEqualTo(1);
    assertThat(out.toString()).contains("Charon cannot run here.");
  }

  @Test
  void confIsHandedToTheChecks() {
    CommandLine command =
        new CommandLine(
            new DoctorCommand(
                conf -> {
                  assertThat(conf).isEqualTo(Optional.of(Path.of("/etc/hadoop/conf")));
                  return new Diagnosis(RESULTS, true);
                }));
    assertThat(command.setOut(new PrintWriter(out)).execute("--conf", "/etc/hadoop/conf")).isZero();
  }

  private int run(boolean canRun, String... args) {
    return new CommandLine(new DoctorCommand(conf -> new Diagnosis(RESULTS, canRun)))
        .setOut(new PrintWriter(out))
        .execute(args);
  }
}
