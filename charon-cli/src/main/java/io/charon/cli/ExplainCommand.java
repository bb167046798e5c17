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
import com.fasterxml.jackson.databind.node.MissingNode;
import io.charon.status.ApplicationClient;
import io.charon.status.ClusterAccess;
import io.charon.status.NodeAddress;
import io.charon.status.StatusClient;
import io.charon.status.StatusException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Explains why a container waits, runs or was killed. */
@Command(
    name = "explain",
    header = "Explains why a container waits, runs or was killed, or why an application waits.",
    description = {
      "%nAsks NodeManagers for their decisions about a container. For a container that "
          + "the kernel killer killed it shows the measured series, the threshold, the ranking "
          + "of candidates, and how long the kill took. Nodes remember their last 50 launch "
          + "decisions and 64 kills. If several nodes are asked, the first one that knows the "
          + "container answers.%n",
      "For an application it asks the ResourceManager why the ApplicationMaster has no "
          + "container yet.%n"
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:explained",
      "1:no node that answered knows the container or application, or the id is ambiguous",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon explain container_1732000000000_0007_01_000004",
      "  charon explain 000004 --node node1:8042",
      "  charon explain 000004 --json | jq .kill.thrash.ranking",
      "  charon explain 000004 --audit /var/log/charon",
      "  charon explain application_1732000000000_0007 --resourcemanager rm1:8088",
    })
final class ExplainCommand implements Callable<Integer> {
  private static final Pattern APPLICATION = Pattern.compile("application_\\d{1,19}_\\d{1,10}");

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "CONTAINER",
      description = "Container id, or its end if it is unique; or an application id.")
  private String container;

  @Mixin private NodesOption nodes;

  @Option(
      names = "--audit",
      paramLabel = "DIRECTORY",
      description =
          "The node's yarn.nodemanager.charon.audit.directory: past actions of regulators on "
              + "the container are read from its files, however old.")
  private Path audit;

  @Option(
      names = "--resourcemanager",
      paramLabel = "HOST:PORT",
      converter = NodeAddressConverter.class,
      description =
          "For an application: web address of the active ResourceManager (default: those of the configuration, else this"
              + " machine's).")
  private NodeAddress resourceManager;

  @Option(names = "--json", description = "Print the same as JSON.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException, InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    ClusterAccess access = nodes.access();
    if (APPLICATION.matcher(container).matches()) {
      return explainApplication(access);
    }
    StatusClient client = new StatusClient(access);
    // If no ResourceManager can be asked, the audit log remains.
    for (NodeAddress node : nodes.addresses(access).orElse(List.of())) {
      try {
        JsonNode status = client.read(node);
        Set<String> ids = ContainerStory.matching(status, container);
        if (ids.size() > 1 && !ids.contains(container)) {
          err.printf(
              "charon: %s is the end of %s on %s; give a longer part of the id%n",
              PlainText.escape(container), PlainText.escape(String.join(", ", ids)), node);
          return 1;
        }
        if (!ids.isEmpty()) {
          String id = ids.contains(container) ? container : ids.iterator().next();
          print(ContainerStory.of(status, id).with(audit(id)));
          return 0;
        }
      } catch (StatusException e) {
        err.println("charon: " + PlainText.escape(e.getMessage()));
      }
    }
    List<JsonNode> actions = audit(container);
    Set<String> targets = new TreeSet<>();
    actions.forEach(action -> targets.add(action.path("target").asText()));
    if (targets.size() == 1) {
      print(ContainerStory.of(MissingNode.getInstance(), targets.iterator().next()).with(actions));
      return 0;
    }
    err.printf(
        "charon: no node that answered knows %s; it may have run on another node, or "
            + "longer ago than nodes remember%n",
        PlainText.escape(container));
    return 1;
  }

  private int explainApplication(ClusterAccess access)
      throws JsonProcessingException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    try {
      ApplicationExplanation explanation =
          ApplicationExplanation.of(
              container,
              new ApplicationClient(access).read(Optional.ofNullable(resourceManager), container));
      if (json) {
        out.println(
            asciiOnly().writerWithDefaultPrettyPrinter().writeValueAsString(explanation.json()));
      } else {
        explanation.print(out);
      }
      out.flush();
      return 0;
    } catch (StatusException e) {
      spec.commandLine().getErr().println("charon: " + PlainText.escape(e.getMessage()));
      return 1;
    }
  }

  private static JsonMapper asciiOnly() {
    return JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
  }

  private List<JsonNode> audit(String end) {
    if (audit == null) {
      return List.of();
    }
    try {
      return AuditLines.about(audit, end);
    } catch (IOException e) {
      spec.commandLine().getErr().println("charon: " + PlainText.escape(e.getMessage()));
      return List.of();
    }
  }

  private void print(ContainerStory story) throws JsonProcessingException {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(asciiOnly().writerWithDefaultPrettyPrinter().writeValueAsString(story.json()));
    } else {
      new ExplanationPrinter(out).print(story);
    }
    out.flush();
  }
}
