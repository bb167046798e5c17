/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.sls.run.Measure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class SlsRunCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;

  private int run(String... arguments) {
    CommandLine command = Charon.commandLine();
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    return command.execute(
        Stream.concat(Stream.of("sls"), Arrays.stream(arguments)).toArray(String[]::new));
  }

  @Test
  void theEmbeddedWorkloadRunsAndItsResultIsWritten() throws Exception {
    Path json = directory.resolve("results/result.json");
    int exit =
        run(
            "run",
            "--policy",
            "charon,stock-yarn",
            "--nodes",
            "3",
            "--hours",
            "0.2",
            "--seeds",
            "2",
            "--load",
            "1,2",
            "--json",
            json.toString(),
            "--out",
            directory.resolve("csv").toString());
    assertThat(exit).as(err.toString()).isZero();
    JsonNode result = new ObjectMapper().readTree(json.toFile());
    assertThat(result.get("runs")).hasSize(8);
    assertThat(result.get("virtualPerWallSecond").asDouble()).isPositive();
    assertThat(result.get("summary")).hasSize(4);
    assertThat(result.get("settings").get("nodes").asInt()).isEqualTo(3);
    assertThat(result.get("workload").get("usedOverRequested").asDouble()).isBetween(0.47, 0.53);
    assertThat(out.toString())
        .contains("charon", "stock-yarn", "X2", "±", "Means over 2 seeds", "virtual seconds in");
    assertThat(Files.readAllLines(directory.resolve("csv/summary.csv")))
        .hasSize(1 + 4 * Measure.values().length);
    assertThat(Files.readAllLines(directory.resolve("csv/memory.csv"))).hasSizeGreaterThan(8);
    assertThat(Files.readAllLines(directory.resolve("csv/runs.csv"))).hasSize(1 + 8 * 2);
    assertThat(Files.readAllLines(directory.resolve("csv/completion-times.csv")))
        .hasSizeGreaterThan(8);
  }

  @Test
  void wrongUsageNamesWhatIsWrong() {
    assertThat(run("run", "--policy", "charon,nonsense")).isEqualTo(2);
    assertThat(err.toString()).contains("no policy nonsense", "charon-no-snapshot");
    assertThat(run("run", "--load", "0")).isEqualTo(2);
    assertThat(run("run", "--kill-delays", "guessed")).isEqualTo(2);
    assertThat(err.toString()).contains("--load must be 1 to 100", "must be measured or paper");
  }

  private Path experiment(String text) throws IOException {
    return Files.writeString(directory.resolve("e.yaml"), text);
  }

  @Test
  void optionsWinOverTheExperimentFile() throws Exception {
    Path file =
        experiment(
            """
            description: a small one
            embedded: {hours: 0.2, productionJobs: 3, bestEffortJobs: 12}
            policies: [charon, stock-yarn]
            loads: [1, 2]
            seeds: 2
            nodes: 50
            nodeMemoryGb: 256
            queueLimit: 3
            killsAsPreemptions: true
            """);
    Path json = directory.resolve("result.json");
    int exit =
        run(
            "run",
            file.toString(),
            "--nodes",
            "3",
            "--load",
            "3",
            "--no-kills-as-preemptions",
            "--json",
            json.toString());
    assertThat(exit).as(err.toString()).isZero();
    JsonNode result = new ObjectMapper().readTree(json.toFile());
    assertThat(result.get("runs")).hasSize(4);
    assertThat(result.get("runs").get(0).get("load").asInt()).isEqualTo(3);
    assertThat(result.get("runs").get(0).get("bestEffort").get("submitted").asInt()).isEqualTo(36);
    assertThat(result.get("description").asText()).isEqualTo("a small one");
    JsonNode settings = result.get("settings");
    assertThat(settings.get("nodes").asInt()).isEqualTo(3);
    assertThat(settings.get("nodeMemoryBytes").asLong()).isEqualTo(256L << 30);
    assertThat(settings.get("queueLimit").asInt()).isEqualTo(3);
    assertThat(settings.get("killsAsPreemptions").asBoolean()).isFalse();
  }

  @Test
  void anExperimentThatCannotRunSaysWhy() throws IOException {
    Path missing = experiment("import: charon sls import --input DIR");
    assertThat(run("run", missing.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("charon sls import --input DIR", "--workload FILE");
    assertThat(run("run", experiment("seed: 1").toString())).isEqualTo(1);
    assertThat(err.toString()).contains("e.yaml:1: unknown key seed; the keys are");
  }

  @Test
  void resultsThatCannotBeWrittenAreRefusedBeforeAnythingRuns() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");
    assertThat(run("run", "--out", file.toString())).isEqualTo(1);
    assertThat(run("run", "--json", directory.toString())).isEqualTo(1);
    assertThat(err.toString())
        .contains("file: is a file; name a directory", "is a directory; name a file")
        .doesNotContain("best-effort jobs");
  }

  @Test
  void theReportIsSelfContainedAndEscapesNames() throws IOException {
    Path file =
        experiment(
            """
            description: <script>alert('x')</script>
            embedded: {hours: 0.1, productionJobs: 2, bestEffortJobs: 5}
            policies: [charon, stock-yarn]
            loads: [1, 2]
            nodes: 2
            """);
    Path folder = directory.resolve("results");
    assertThat(run("run", file.toString(), "--out", folder.toString())).as(err.toString()).isZero();
    String report = Files.readString(folder.resolve("report.html"));
    assertThat(report)
        .contains("&lt;script&gt;", "used share of requested memory", "Event checksum", "sls run")
        .containsOnlyOnce("<h2>Workload</h2>")
        .containsOnlyOnce("<h2>Settings</h2>")
        .doesNotContain("<script>", "<link", "src=\"http");
    if (err.toString().contains("no charts: ")) {
      System.out.println("SKIPPED pictures of SlsRunCommandTest: no font is installed");
      return;
    }
    for (String picture :
        List.of(
            "completion-rate",
            "completion-times-x1",
            "completion-times-x2",
            "production-slowdown-x2",
            "used-memory-x2",
            "memory-charon-x2",
            "memory-stock-yarn-x2")) {
      assertThat(Files.readString(folder.resolve(picture + ".svg"))).contains("<svg");
      assertThat(ImageIO.read(folder.resolve(picture + ".png").toFile()).getWidth()).isEqualTo(960);
    }
    assertThat(Pattern.compile("src=\"data:image/svg").matcher(report).results()).hasSize(8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ar-EG-u-nu-arab", "hi-IN-u-nu-deva"})
  void everyLanguageWritesTheSameDigits(String language) throws IOException {
    Locale before = Locale.getDefault();
    Path json = directory.resolve("result.json");
    try {
      Locale.setDefault(Locale.forLanguageTag(language));
      assertThat(
              run(
                  "run",
                  "--nodes",
                  "2",
                  "--hours",
                  "0.1",
                  "--policy",
                  "charon",
                  "--json",
                  json.toString(),
                  "--out",
                  directory.toString()))
          .as(err.toString())
          .isZero();
    } finally {
      Locale.setDefault(before);
    }
    try (Stream<Path> written = Files.list(directory)) {
      assertThat(written.filter(file -> !file.toString().endsWith(".png")))
          .extracting(file -> file.getFileName().toString())
          .contains("result.json", "summary.csv", "runs.csv", "memory.csv", "report.html")
          .allSatisfy(
              file ->
                  assertThat(Files.readString(directory.resolve(file)))
                      .containsPattern("[0-9]")
                      .doesNotContainPattern("(?!\\p{ASCII})\\p{Nd}"));
    }
  }

  @Test
  void aFullDiskIsNamed() throws IOException {
    Path full = Path.of("/dev/full");
    if (!Files.exists(full)) {
      System.out.println("SKIPPED aFullDiskIsNamed: no /dev/full");
    }
    assumeTrue(Files.exists(full), "no /dev/full");
    Files.createSymbolicLink(directory.resolve("summary.csv"), full);
    assertThat(
            run(
                "run",
                "--nodes",
                "2",
                "--hours",
                "0.1",
                "--policy",
                "charon",
                "--out",
                directory.toString()))
        .isEqualTo(1);
    assertThat(err.toString()).contains("summary.csv: cannot be written; is the disk full?");
  }

  @Test
  void anInterruptedRunLeavesAPartialResult() throws Exception {
    Path json = directory.resolve("result.json");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx400m",
                "--add-opens",
                "java.base/java.lang=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "io.charon.cli.Charon",
                "sls",
                "run",
                "--nodes",
                "20",
                "--load",
                "10,20,30,40,50",
                "--threads",
                "1",
                "--json",
                json.toString())
            .redirectErrorStream(true)
            .start();
    StringBuilder output = new StringBuilder();
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        output.append(line).append('\n');
        if (line.startsWith("virtual ")) {
          // As kill does; Process.destroy would also close the stream.
          process.toHandle().destroy();
        }
      }
      assertThat(process.waitFor()).as(output.toString()).isEqualTo(143);
    } finally {
      process.destroyForcibly();
    }
    JsonNode result = new ObjectMapper().readTree(json.toFile());
    assertThat(result.get("partial").asBoolean()).isTrue();
    assertThat(result.get("runs")).hasSize(15);
    assertThat(result.get("runs").get(14).get("partial").asBoolean()).isTrue();
    assertThat(output).contains("PARTIAL");
  }

  @Test
  void theQuickStartRuns() throws Exception {
    Path json = directory.resolve("quick.json");
    int exit =
        run(
            "run",
            "../conf/experiments/quickstart.yaml",
            "--seeds",
            "1",
            "--load",
            "4",
            "--policy",
            "stock-yarn,charon",
            "--json",
            json.toString());
    assertThat(exit).as(err.toString()).isZero();
    JsonNode result = new ObjectMapper().readTree(json.toFile());
    Map<String, Double> rates = new HashMap<>();
    for (JsonNode run : result.get("runs")) {
      rates.put(run.get("policy").asText(), run.get("bestEffort").get("completionRate").asDouble());
    }
    assertThat(rates).hasSize(2);
    // The point of the experiment: reservations leave less room than idle memory does.
    assertThat(rates.get("charon")).isGreaterThan(rates.get("stock-yarn"));
  }

  @Test
  void workloadsThatCannotRunAreNamed() throws IOException {
    Path file = directory.resolve("w.jsonl.gz");
    assertThat(
            run(
                "generate",
                "--out",
                file.toString(),
                "--nodes",
                "3",
                "--hours",
                "0.2",
                "--production-jobs",
                "10",
                "--best-effort-jobs",
                "20"))
        .as(err.toString())
        .isZero();
    assertThat(run("run", "--workload", file.toString(), "--node-memory-gb", "1")).isEqualTo(1);
    assertThat(err.toString()).contains("w.jsonl.gz: tasks of job", "use larger nodes");
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length / 2));
    assertThat(run("run", "--workload", file.toString())).isEqualTo(1);
    assertThat(err.toString()).containsPattern("w\\.jsonl\\.gz:\\d+: .*truncated");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(
          """
          {"format":"charon-workload","version":1,"nodes":1,"nodeMemoryBytes":1,"nodeCores":1,"productionJobs":0,\
          "bestEffortJobs":0,"tasks":0,"usedOverRequested":0,"productionUsedOverRequested":0,\
          "bestEffortUsedOverRequested":0,"load":1,"seed":1,"provenance":"","rules":[]}
          """
              .getBytes(StandardCharsets.UTF_8));
    }
    assertThat(run("run", "--workload", file.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("w.jsonl.gz: the workload contains no jobs");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(
          """
          {"format":"charon-workload","version":1,"nodes":1,"nodeMemoryBytes":9,"nodeCores":1,"productionJobs":0,\
          "bestEffortJobs":2,"tasks":2,"usedOverRequested":0,"productionUsedOverRequested":0,\
          "bestEffortUsedOverRequested":0,"load":1,"seed":1,"provenance":"","rules":[]}
          JOB
          JOB
          """
              .replace(
                  "JOB",
                  """
                  {"id":"a","name":"a","user":"u","side":"BEST_EFFORT","type":"SQL","submitMillis":9,\
                  "tasks":[{"count":1,"requestedBytes":9,"virtualCores":1,"usedCores":1,"durationMillis":5,\
                  "memory":[[0,1,1]]}]}""")
              .getBytes(StandardCharsets.UTF_8));
    }
    assertThat(run("run", "--workload", file.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("w.jsonl.gz:3: the id a is used by an earlier job, too");
  }

  @Test
  void everySeedHasItsOwnFile() throws IOException {
    List<String> files = List.of(generated(3, 1), generated(3, 2));
    Path json = directory.resolve("result.json");
    assertThat(run("run", "--workload", String.join(",", files), "--json", json.toString()))
        .as(err.toString())
        .isZero();
    JsonNode result = new ObjectMapper().readTree(json.toFile());
    assertThat(result.get("workloads").findValuesAsText("seed")).containsExactly("1", "2");
    assertThat(result.get("runs")).hasSize(3 * 2);
    for (int seed = 1; seed <= 2; seed++) {
      JsonNode own = result.get("runs").get(seed - 1);
      assertThat(own.get("seed").asInt()).isEqualTo(seed);
      assertThat(own.get("bestEffort").get("submitted").asInt()).isEqualTo(20 + seed);
    }
    // The result of a seed does not depend on the files of other seeds.
    Path alone = directory.resolve("alone.json");
    assertThat(run("run", "--workload", files.get(0), "--json", alone.toString())).isZero();
    assertThat(new ObjectMapper().readTree(alone.toFile()).get("runs").get(0))
        .isEqualTo(result.get("runs").get(0));
  }

  @Test
  void filesThatCannotBePooledAreRefused() throws IOException {
    String three = generated(3, 1);
    String four = generated(4, 2);
    assertThat(run("run", "--workload", three + "," + four)).isEqualTo(1);
    assertThat(err.toString()).contains("made for nodes other than", "--nodes");
    assertThat(run("run", "--workload", three + "," + three, "--seeds", "3")).isEqualTo(1);
    assertThat(err.toString()).contains("2 workload files for 3 seeds");
    assertThat(run("run", "--workload", three + ",embedded")).isEqualTo(2);
  }

  private String generated(int nodes, int seed) {
    Path file = directory.resolve("draw-" + nodes + "-" + seed + ".jsonl.gz");
    assertThat(
            run(
                "generate",
                "--out",
                file.toString(),
                "--nodes",
                Integer.toString(nodes),
                "--hours",
                "0.2",
                "--production-jobs",
                "10",
                "--best-effort-jobs",
                Integer.toString(20 + seed),
                "--seed",
                Integer.toString(seed)))
        .as(err.toString())
        .isZero();
    return file.toString();
  }

  @Test
  void anInvalidWorkloadEndsWithItsName() {
    assertThat(run("run", "--workload", directory.resolve("missing").toString())).isEqualTo(1);
    assertThat(err.toString()).contains("charon sls run:", "missing");
  }
}
