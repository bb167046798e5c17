/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;

/** Prints what a status document reports about resources and regulators. */
final class RegulatorTables {
  private static final String INDENT = "    ";
  private static final int MAX_CORES_SHOWN = 32;

  private RegulatorTables() {}

  /** Prints the use of each resource by the foreground and by best-effort. */
  static void printResources(PrintWriter out, JsonNode resources) {
    if (!resources.isObject()) {
      out.println("  resources: not reported");
      return;
    }
    out.printf(
        "  resources: the foreground is %s%n", CellFormat.text(resources.path("foreground")));
    TextTable table = new TextTable("RESOURCE", "FOREGROUND", "BEST-EFFORT", "CAPACITY", "NOTE");
    for (JsonNode use : resources.path("use")) {
      String unit = use.path("unit").asText();
      table.add(
          CellFormat.text(use.path("resource")),
          quantity(use.path("foreground"), unit),
          quantity(use.path("bestEffort"), unit),
          quantity(use.path("capacity"), unit),
          CellFormat.text(use.path("missing")));
    }
    table.print(out, INDENT);
    if (resources.path("throttledCores").asDouble() > 0) {
      out.printf(
          "    the CPU quota throttles best-effort by %s%n",
          quantity(resources.path("throttledCores"), "cores"));
    }
    if (resources.path("cores").isObject()) {
      printCores(out, resources.path("cores"));
    }
  }

  /** Prints what best-effort may use; prints nothing if the node does not report it. */
  static void printReclaimed(PrintWriter out, JsonNode reclaimed) {
    if (!reclaimed.isArray()) {
      return;
    }
    out.println("  best-effort may use:");
    TextTable table = new TextTable("RESOURCE", "NOW", "FREE", "RECLAIMED", "NOTE");
    for (JsonNode one : reclaimed) {
      String unit = one.path("unit").asText();
      table.add(
          CellFormat.text(one.path("resource")),
          quantity(one.path("now"), unit),
          quantity(one.path("free"), unit),
          quantity(one.path("reclaimed"), unit),
          CellFormat.text(one.path("missing")));
    }
    table.print(out, INDENT);
  }

  /** Prints the node's cores and the load of each, in percent. */
  private static void printCores(PrintWriter out, JsonNode cores) {
    out.printf("    cores %s, best-effort on %s", list(cores, "usable"), list(cores, "bestEffort"));
    if (cores.has("pinned")) {
      out.printf(", foreground pinned to %s", list(cores, "pinned"));
    }
    if (cores.has("missing")) {
      out.printf(" (%s)", CellFormat.text(cores.path("missing")));
    }
    out.print("; busy");
    Iterator<Map.Entry<String, JsonNode>> busy = cores.path("busy").fields();
    for (int shown = 0; busy.hasNext() && shown < MAX_CORES_SHOWN; shown++) {
      Map.Entry<String, JsonNode> core = busy.next();
      out.printf(
          Locale.ROOT,
          " %s:%.0f%%",
          PlainText.escape(core.getKey()),
          100 * core.getValue().asDouble());
    }
    if (busy.hasNext()) {
      out.print(" ...");
    }
    out.println();
  }

  private static String list(JsonNode cores, String name) {
    return cores.path(name).asText().isEmpty() ? "none" : CellFormat.text(cores.path(name));
  }

  /** Prints the last decision of every regulator, and the number of those that are off. */
  static void printRegulators(PrintWriter out, JsonNode regulators) {
    if (!regulators.isArray()) {
      out.println("  regulators: not reported");
      return;
    }
    TextTable table =
        new TextTable(
            "REGULATOR", "MODE", "SIGNAL", "NOW", "MEAN", "SIGMA", "USED", "LIMIT", "WHY");
    int off = 0;
    for (JsonNode regulator : regulators) {
      if (regulator.path("mode").asText().equals("off")) {
        off++;
        continue;
      }
      String signalUnit = regulator.path("signalUnit").asText();
      String limitUnit = regulator.path("limitUnit").asText();
      table.add(
          CellFormat.text(regulator.path("name")),
          CellFormat.text(regulator.path("mode")),
          CellFormat.text(regulator.path("signal")),
          quantity(regulator.path("value"), signalUnit),
          quantity(regulator.path("mean"), signalUnit),
          quantity(regulator.path("standardDeviation"), signalUnit),
          quantity(regulator.path("bestEffort"), limitUnit),
          quantity(regulator.path("limit"), limitUnit),
          why(regulator));
    }
    out.printf("  regulators: %d on, %d off%n", regulators.size() - off, off);
    if (off < regulators.size()) {
      table.print(out, INDENT);
    }
    for (JsonNode regulator : regulators) {
      if (regulator.has("signalNote")) {
        out.printf(
            "%s%s uses the signal %s: %s%n",
            INDENT,
            CellFormat.text(regulator.path("name")),
            CellFormat.text(regulator.path("signal")),
            CellFormat.text(regulator.path("signalNote")));
      }
      if (regulator.has("missing")) {
        out.printf(
            "%s%s: %s%n",
            INDENT,
            CellFormat.text(regulator.path("name")),
            CellFormat.text(regulator.path("missing")));
      }
    }
  }

  private static String why(JsonNode regulator) {
    if (regulator.has("unavailable")) {
      return "unavailable: " + CellFormat.text(regulator.path("unavailable"));
    }
    return CellFormat.text(regulator.path("cause"))
        + "; "
        + CellFormat.text(regulator.path("result"));
  }

  private static String quantity(JsonNode value, String unit) {
    if (!value.isNumber()) {
      return CellFormat.text(value);
    }
    double number = value.asDouble();
    return switch (unit) {
      case "bytes" -> PlainText.bytes(Math.round(number));
      case "bytes_per_second" -> String.format(Locale.ROOT, "%.2f MB/s", number / 1e6);
      case "cores" -> String.format(Locale.ROOT, "%.2f cores", number);
      case "threads" -> String.format(Locale.ROOT, "%.0f threads", number);
      default -> String.format(Locale.ROOT, "%.4f", number);
    };
  }
}
