/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class DemoCommandTest {
  private final StringWriter said = new StringWriter();
  private final CommandLine demo =
      new CommandLine(new DemoCommand(Path.of("/nonexistent")))
          .setOut(new PrintWriter(said, true))
          .setErr(new PrintWriter(said, true));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--cluster /c --executor linux|--executor: not with --cluster",
        "--cluster /c --run-as alice --json out.json|--run-as, --json: not with --cluster",
        "--cluster /c --container-executor /x|--container-executor: not with --cluster",
        "--cluster /c --modes charon|leave it out, or leave out --cluster",
        "--cluster /c --html out.html|--html: not with --cluster",
        "--cluster /c --quick --window-seconds 30|--quick only shortens the window",
        "--tag other|--tag: only with --cluster",
        "--nodes node1:8042|--nodes: only with --cluster",
        "--calibrate --json out.json|--calibrate needs --workload cpu",
        "--workload cpu --calibrate|--calibrate needs --json",
        "--workload cpu --calibrate --json out.json --modes charon|--calibrate needs mode alone",
        "--modes alone,kuber|unknown mode 'kuber': choose from alone, stock-yarn, charon, threshold",
        "--modes alone,stock-yarn --outgrow|--outgrow needs a mode that reclaims memory",
        "--run-as alice|need --executor linux",
      })
  void optionsWithoutEffectAreRefusedWithTheCure(String words, String message) {
    assertThat(demo.execute(words.split(" ", -1))).isEqualTo(2);
    assertThat(said.toString()).contains(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--quick --json out.json",
        "--quick --window-seconds 30 --modes alone,charon --executor linux",
        "--cluster /c --quick --nodes node1:8042 --tag other --input /text --input-mb 32",
        "--cluster /c --window-seconds 30",
      })
  void otherCombinationsAreAccepted(String words) {
    demo.parseArgs(words.split(" ", -1));
    assertThatCode(() -> DemoCombinations.require(demo.getCommandSpec()))
        .doesNotThrowAnyException();
  }
}
