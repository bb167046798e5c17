/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.cli.PlainText;
import io.charon.cli.TextTable;
import io.charon.evaluation.cluster.LinuxExecutor;
import io.charon.evaluation.demo.DemoApplications;
import io.charon.evaluation.playground.ClusterState;
import io.charon.evaluation.playground.Playground;
import io.charon.evaluation.playground.PlaygroundStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code charon cluster status}: shows the state of the cluster, its nodes and its jobs. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Shows whether the cluster runs, where its web pages are, and the state of its "
          + "nodes and jobs.",
      "",
      "Used is memory that processes use; reserved is what production and the "
          + "ApplicationMasters requested; idle is memory that no process uses, reserved or "
          + "not, and where best-effort runs.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  charon cluster status",
      "  charon cluster status --json | jq '.nodes[].idleBytes'",
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the cluster runs",
      "1:the cluster does not answer",
      "2:wrong usage",
      "3:no cluster runs, or it is not ready yet"
    })
final class ClusterStatusCommand implements Callable<Integer> {
  private static final int NOT_RUNNING = 3;

  private final Path root;

  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print the same as JSON; sizes in bytes.")
  private boolean json;

  @Mixin private ClusterDirectoryOption directory;

  ClusterStatusCommand(Path root) {
    this.root = root;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Playground playground = directory.playground(root);
    Optional<ClusterState> state = playground.living();
    if (state.flatMap(ClusterState::address).isEmpty()) {
      out.println(json ? "{\"running\":false}" : absence(playground, state.isPresent()));
      out.flush();
      return NOT_RUNNING;
    }
    PlaygroundStatus status =
        PlaygroundStatus.read(state.get(), playground.directory().configuration());
    if (json) {
      out.println(toJson(state.get(), status));
    } else {
      print(state.get(), status);
    }
    out.flush();
    return 0;
  }

  private String absence(Playground playground, boolean starts) throws IOException {
    if (starts) {
      return "The cluster is still starting.";
    }
    if (playground.wasKilled()) {
      return "No cluster runs in %s: its process was killed. %s removes its remains."
          .formatted(playground.directory().path(), directory.commandLine("stop"));
    }
    Path log = playground.directory().log();
    return "No cluster runs in "
        + playground.directory().path()
        + (log.toFile().exists() ? "; see the log of the last one: " + log : "")
        + ". "
        + directory.commandLine("start");
  }

  private void print(ClusterState state, PlaygroundStatus status) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "The cluster has run since %s (%s): %s%n",
        state.since().truncatedTo(ChronoUnit.SECONDS),
        ago(state.since()),
        state.address().orElseThrow().page());
    out.println(
        state
            .linux()
            .map(LinuxExecutor::description)
            .orElse("Containers run by DefaultContainerExecutor, as your user."));
    TextTable nodes =
        new TextTable("NODE", "MEMORY", "USED", "RESERVED", "IDLE", "RUNNING", "QUEUED", "PAGE");
    for (PlaygroundStatus.NodeUse node : status.nodes()) {
      nodes.add(
          node.node().name(),
          PlainText.bytes(node.memoryBytes()),
          PlainText.bytes(node.usedBytes()),
          PlainText.bytes(node.reservedBytes()),
          PlainText.bytes(node.idleBytes()),
          Integer.toString(node.running()),
          Integer.toString(node.queued()),
          node.node().page());
    }
    out.println("nodes (running and queued: best-effort containers)");
    nodes.print(out, "  ");
    if (status.jobs().isEmpty()) {
      out.println("jobs: none yet; " + directory.commandLine("submit production"));
      return;
    }
    TextTable jobs = new TextTable("JOB", "NAME", "QUEUE", "STATE", "PROGRESS");
    for (DemoApplications.Description job : status.jobs()) {
      jobs.add(
          job.id().toString(),
          PlainText.escape(job.name()),
          PlainText.escape(job.queue()),
          job.state(),
          String.format(Locale.ROOT, "%.0f %%", 100 * job.progress()));
    }
    out.println("jobs");
    jobs.print(out, "  ");
  }

  private static String ago(Instant since) {
    Duration time = Duration.between(since, Instant.now());
    return time.toMinutes() < 1
        ? time.toSeconds() + " s"
        : "%d:%02d h".formatted(time.toHours(), time.toMinutesPart());
  }

  private static String toJson(ClusterState state, PlaygroundStatus status)
      throws JsonProcessingException {
    JsonMapper mapper = JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    ObjectNode document = mapper.createObjectNode();
    document.put("running", true);
    document.put("since", state.since().toString());
    document.put("page", state.address().orElseThrow().page());
    document.put("executor", ExecutorOption.label(state.linux()));
    ArrayNode nodes = document.putArray("nodes");
    for (PlaygroundStatus.NodeUse node : status.nodes()) {
      nodes
          .addObject()
          .put("name", node.node().name())
          .put("page", node.node().page())
          .put("memoryBytes", node.memoryBytes())
          .put("usedBytes", node.usedBytes())
          .put("reservedBytes", node.reservedBytes())
          .put("idleBytes", node.idleBytes())
          .put("bestEffortRunning", node.running())
          .put("bestEffortQueued", node.queued());
    }
    ArrayNode jobs = document.putArray("jobs");
    for (DemoApplications.Description job : status.jobs()) {
      jobs.addObject()
          .put("id", job.id().toString())
          .put("name", job.name())
          .put("queue", job.queue())
          .put("state", job.state())
          .put("progress", job.progress());
    }
    return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(document);
  }
}
