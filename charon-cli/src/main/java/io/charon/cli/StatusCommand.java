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
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.status.ClusterAccess;
import io.charon.status.NodeAddress;
import io.charon.status.StatusClient;
import io.charon.status.StatusException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints what Charon does on one or more nodes. */
@Command(
    name = "status",
    header = "Shows the state of a node: running and queued containers, and the reasons.",
    description = {
      "%nAsks NodeManagers for their status: mode, memory, snapshot, running and waiting "
          + "containers, kills, and the last decisions with their reasons. Sizes are in MiB "
          + "and GiB; a dash marks a value that the node does not report.%n"
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:every node answered", "1:a node did not answer", "2:wrong usage"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon status",
      "  charon status --node node1:8042 --node node2:8042",
      "  charon status --all                      all nodes that the ResourceManager "
          + "lists as running",
      "  charon status --json | jq '.nodes[0].status.counters'",
    })
final class StatusCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private NodesOption nodes;

  @Option(
      names = "--json",
      description =
          "Print {\"nodes\":[{node, status}]}, with error instead of status for a "
              + "node that failed.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException, InterruptedException {
    ClusterAccess access = nodes.access();
    StatusClient client = new StatusClient(access);
    Optional<List<NodeAddress>> addresses = nodes.addresses(access);
    if (addresses.isEmpty()) {
      return 1;
    }
    JsonMapper mapper = JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    PrintWriter out = spec.commandLine().getOut();
    ObjectNode document = mapper.createObjectNode();
    ArrayNode answers = document.putArray("nodes");
    StatusPrinter printer = new StatusPrinter(out);
    int exitCode = 0;
    for (NodeAddress node : addresses.get()) {
      ObjectNode answer = answers.addObject().put("node", node.toString());
      try {
        JsonNode status = client.read(node);
        answer.set("status", status);
        if (!json) {
          printer.print(node, status);
        }
      } catch (StatusException e) {
        answer.put("error", e.getMessage());
        spec.commandLine().getErr().println("charon: " + PlainText.escape(e.getMessage()));
        exitCode = 1;
      }
    }
    if (json) {
      out.println(mapper.writerWithDefaultPrettyPrinter().writeValueAsString(document));
    }
    out.flush();
    return exitCode;
  }
}
