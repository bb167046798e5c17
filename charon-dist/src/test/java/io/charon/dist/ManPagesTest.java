/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

class ManPagesTest {
  @TempDir Path directory;

  @Command(
      name = "tool",
      header = "Does it.",
      description = "%n.begins with a dot, 5 %% of \\ it%n",
      exitCodeList = "0:done",
      footer = {"  tool --count 3   an example", "%nAt most 9 %%."})
  static final class Tool {
    @Option(
        names = {"-c", "--count"},
        paramLabel = "N",
        defaultValue = "7",
        description = "How many (default: ${DEFAULT-VALUE}).%nOf 100 %%.")
    int count;

    @Option(names = "--secret", hidden = true)
    boolean secret;
  }

  @Command(name = "part", header = "A part of it.", description = "Part.")
  static final class Part {}

  private static Map<String, String> pages() {
    return ManPages.of(
        new CommandLine(new Tool()).addSubcommand(new Part()), "1.0", LocalDate.of(2026, 11, 22));
  }

  @Test
  void everyCommandHasAPageWithWhatItsHelpSays() {
    assertThat(pages()).containsOnlyKeys("tool.1", "tool-part.1");
    assertThat(pages().get("tool.1"))
        .contains(
            ".TH \"TOOL\" \"1\" \"2026-11-22\" \"Charon 1.0\"",
            "tool \\- Does it.",
            ".B \\-c, \\-\\-count=N\nHow many (default: 7). Of 100 %.\n",
            ".B tool\\-part(1)\nA part of it.",
            "  tool \\-\\-count 3   an example\n\nAt most 9 %.\n")
        .doesNotContain("secret", "%n", "%%");
  }

  @Test
  void textIsNeverTakenForAMacro() {
    assertThat(pages().get("tool.1")).contains("\n\\&.begins with a dot, 5 % of \\e it\n");
  }

  @Test
  void groffHasNothingToWarnOf() throws Exception {
    Path page = Files.writeString(directory.resolve("tool.1"), pages().get("tool.1"));
    if (!Files.isExecutable(Path.of("/usr/bin/groff"))) {
      System.out.println("SKIPPED groffHasNothingToWarnOf: no /usr/bin/groff");
    }
    Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/groff")), "groff is not installed");

    Process groff =
        new ProcessBuilder("groff", "-man", "-ww", "-z", page.toString())
            .redirectErrorStream(true)
            .start();

    assertThat(groff.getInputStream().readAllBytes()).asString().isEmpty();
    assertThat(groff.waitFor()).isZero();
  }
}
