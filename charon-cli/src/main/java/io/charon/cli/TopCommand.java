/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.status.ClusterAccess;
import io.charon.status.NodeAddress;
import io.charon.status.StatusClient;
import io.charon.status.StatusException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows every second how much of a node is used, and what the regulators decide. */
@Command(
    name = "top",
    header =
        "Shows the resource use of a node and the decisions of its regulators, "
            + "refreshed each second.",
    description = {
      "%nAsks all NodeManagers at once, each second, for: the use of each resource by the foreground "
          + "and by best-effort; mean, standard deviation, limit and last decision of each "
          + "regulator; running and waiting containers. A frame waits for the slowest node. With --all the "
          + "list of nodes is read again each minute. Ctrl-C ends the command. A dash marks a value "
          + "that the node does not report.%n"
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every node answered",
      "1:a node did not answer (with --once)",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon top",
      "  charon top --node node1:8042 --node node2:8042",
      "  charon top --once --json | jq '.nodes[0].regulators[].limit'",
    })
final class TopCommand implements Callable<Integer> {
  private static final Duration REFRESH = Duration.ofSeconds(1);

  /** Maximum number of nodes that are asked at once (our choice): each status is in memory. */
  private static final int MAX_ASKED = 16;

  /** Moves the cursor to the upper left corner and clears the screen below it. */
  private static final String CLEAR = "\033[H\033[J";

  private static final List<String> SHOWN =
      List.of(
          "mode",
          "tick",
          "resources",
          "reclaimed",
          "regulators",
          "counters",
          "killer",
          "isolation",
          "launchesDelayedSeconds",
          "stop");

  /** Field of a node whose status could not be read. */
  private static final String ERROR = "error";

  private final JsonMapper mapper =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  @Spec private CommandSpec spec;

  @Mixin private NodesOption nodes;

  @Option(names = "--once", description = "Show one frame and exit.")
  private boolean once;

  @Option(
      names = "--json",
      description =
          "Print one JSON document per line and second, {\"nodes\":[{node, resources, "
              + "regulators, ...}]}, with error instead of the other fields for a node that failed.")
  private boolean json;

  private final Duration relist;

  /** Creates the command, which reads the list of {@code --all} again each minute (our choice). */
  TopCommand() {
    this(Duration.ofMinutes(1));
  }

  TopCommand(Duration relist) {
    this.relist = relist;
  }

  /**
   * What a node answered.
   *
   * @param shown the parts of its status that are shown, or why there is none: a whole status, with
   *     all containers, is too large to be kept for each node of a cluster
   */
  private record Answer(NodeAddress node, ObjectNode shown) {
    static Answer of(StatusClient client, NodeAddress node) throws InterruptedException {
      ObjectNode shown = JsonNodeFactory.instance.objectNode().put("node", node.toString());
      try {
        show(client.read(node), shown);
      } catch (StatusException e) {
        shown.put(ERROR, e.getMessage());
      }
      return new Answer(node, shown);
    }

    boolean failed() {
      return shown.has(ERROR);
    }
  }

  @Override
  public Integer call() throws JsonProcessingException, InterruptedException {
    ExecutorService askers = Executors.newFixedThreadPool(MAX_ASKED);
    try {
      return run(askers);
    } finally {
      askers.shutdownNow();
    }
  }

  private int run(ExecutorService askers) throws JsonProcessingException, InterruptedException {
    ClusterAccess access = nodes.access();
    StatusClient client = new StatusClient(access);
    Optional<List<NodeAddress>> listed = nodes.addresses(access);
    if (listed.isEmpty()) {
      return 1;
    }
    List<NodeAddress> addresses = listed.get();
    long listedNanos = System.nanoTime();
    PrintWriter out = spec.commandLine().getOut();
    while (true) {
      if (System.nanoTime() - listedNanos > relist.toNanos()) {
        addresses = nodes.addresses(access).orElse(addresses);
        listedNanos = System.nanoTime();
      }
      StringWriter frame = new StringWriter();
      boolean answered = frame(ask(askers, client, addresses), new PrintWriter(frame));
      // Printed in one piece, so that the screen does not flicker.
      out.print(once || json ? frame : CLEAR + frame);
      out.flush();
      if (once) {
        return answered ? 0 : 1;
      }
      // Java ignores SIGPIPE and its streams swallow the error, so ask whether anyone still reads.
      if (out.checkError() || System.out.checkError()) {
        return 0;
      }
      Thread.sleep(REFRESH.toMillis());
    }
  }

  /** Asks all nodes at once; the answers are in the order of the nodes. */
  private static List<Answer> ask(
      ExecutorService askers, StatusClient client, List<NodeAddress> addresses)
      throws InterruptedException {
    List<Callable<Answer>> questions = new ArrayList<>();
    addresses.forEach(node -> questions.add(() -> Answer.of(client, node)));
    List<Answer> answers = new ArrayList<>();
    for (Future<Answer> answer : askers.invokeAll(questions)) {
      try {
        answers.add(answer.get());
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      }
    }
    return answers;
  }

  private boolean frame(List<Answer> answers, PrintWriter out) throws JsonProcessingException {
    ObjectNode document = mapper.createObjectNode();
    ArrayNode shown = document.putArray("nodes");
    for (Answer answer : answers) {
      shown.add(answer.shown());
      if (!json) {
        print(out, answer);
      }
    }
    if (json) {
      out.println(mapper.writeValueAsString(document));
    }
    return answers.stream().noneMatch(Answer::failed);
  }

  private static void print(PrintWriter out, Answer answer) {
    if (answer.failed()) {
      String error = answer.shown().path(ERROR).asText();
      out.printf("%s  %s%n", answer.node(), PlainText.escape(error));
    } else {
      print(out, answer.node(), answer.shown());
    }
  }

  private static void show(JsonNode status, ObjectNode shown) {
    for (String part : SHOWN) {
      if (status.has(part)) {
        shown.set(part, status.path(part));
      }
    }
    shown.put("running", status.path("running").size());
    shown.put("queued", status.path("queued").size());
  }

  private static void print(PrintWriter out, NodeAddress node, JsonNode status) {
    out.printf(
        "%s  mode %s  containers: %s running, %s waiting, %s killed for memory  killer: %s%n",
        node,
        CellFormat.text(status.path("mode")),
        CellFormat.text(status.path("running")),
        CellFormat.text(status.path("queued")),
        CellFormat.text(status.path("counters").path("killed")),
        CellFormat.text(status.path("killer").path("inCharge")));
    StatusPrinter.printLate(out, status.path("tick"));
    printIsolation(out, status.path("isolation"));
    StopLine.print(out, status.path("stop"));
    RegulatorTables.printResources(out, status.path("resources"));
    RegulatorTables.printReclaimed(out, status.path("reclaimed"));
    RegulatorTables.printRegulators(out, status.path("regulators"));
  }

  /** Printed only where YARN or Docker creates the cgroups of containers. */
  private static void printIsolation(PrintWriter out, JsonNode isolation) {
    if (!isolation.path("makers").isEmpty()) {
      out.printf(
          "  isolation %s; memory limit of best-effort: %s%n",
          CellFormat.text(isolation.path("kind")), CellFormat.text(isolation.path("memoryLimit")));
    }
  }
}
