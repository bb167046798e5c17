/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.doctor.CheckResult;
import io.charon.doctor.CheckStatus;
import io.charon.doctor.Diagnosis;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints what this machine can and cannot do for Charon, with a cure for each deficit. */
@Command(
    name = "doctor",
    header = "Checks what Charon can use on this machine, and how to fix the rest.",
    description = {
      "%nChecks the JDK, build tools, cgroups, permissions, kernel facilities and "
          + "resources that Charon uses. Each one is ok, degraded (Charon works with less "
          + "effect) or missing (the part that needs it does not work), with a cure. The "
          + "command changes nothing: a cgroup that it creates to test the permission is "
          + "removed at once.%n"
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Charon can run here, possibly with parts degraded or missing",
      "1:a requirement without which Charon cannot run at all is missing (JDK, /proc)",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon doctor",
      "  charon doctor --conf /etc/hadoop/conf     also check that cluster's yarn-site.xml",
      "  charon doctor --json | jq '.checks[] | select(.status != \"ok\")'",
    })
final class DoctorCommand implements Callable<Integer> {
  private final Function<Optional<Path>, Diagnosis> doctor;

  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print {\"checks\":[{name, status, detail, cure}]}.")
  private boolean json;

  @Option(
      names = "--conf",
      paramLabel = "DIR",
      description = "Directory that holds the cluster's yarn-site.xml (default: $HADOOP_CONF_DIR).")
  private Path conf;

  /**
   * Creates the command.
   *
   * @param doctor runs the checks, given the directory named by {@code --conf}
   */
  DoctorCommand(Function<Optional<Path>, Diagnosis> doctor) {
    this.doctor = doctor;
  }

  @Override
  public Integer call() throws JsonProcessingException {
    Diagnosis diagnosis = doctor.apply(Optional.ofNullable(conf));
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(toJson(diagnosis));
    } else {
      print(diagnosis, out);
    }
    out.flush();
    return diagnosis.canRun() ? 0 : 1;
  }

  private static String toJson(Diagnosis diagnosis) throws JsonProcessingException {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode document = mapper.createObjectNode();
    ArrayNode checks = document.putArray("checks");
    for (CheckResult result : diagnosis.results()) {
      checks
          .addObject()
          .put("name", result.name())
          .put("status", result.status().label())
          .put("detail", result.detail())
          .put("cure", result.cure());
    }
    return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(document);
  }

  private static void print(Diagnosis diagnosis, PrintWriter out) {
    for (CheckResult result : diagnosis.results()) {
      out.printf(
          "%-9s %-22s %s%n",
          result.status().label(), result.name(), PlainText.escape(result.detail()));
      if (!result.cure().isEmpty()) {
        out.printf("%-9s %-22s cure: %s%n", "", "", PlainText.escape(result.cure()));
      }
    }
    out.printf(
        "%n%d ok, %d degraded, %d missing. %s%n",
        diagnosis.count(CheckStatus.OK),
        diagnosis.count(CheckStatus.DEGRADED),
        diagnosis.count(CheckStatus.MISSING),
        diagnosis.canRun() ? "Charon can run here." : "Charon cannot run here.");
  }
}
