/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.simulator;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.evaluation.killer.Report;
import io.charon.evaluation.killer.Target;
import io.charon.sls.engine.EventChecksum;
import io.charon.sls.run.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reports the measurements of {@code bench sls}. */
public final class SlsReport {
  private static final double MEGABYTE = 1 << 20;
  private static final List<String> HEADER =
      List.of(
          "simulator",
          "nodes",
          "jobs",
          "virtual s",
          "wall s",
          "virtual/wall",
          "events/s",
          "peak heap MB",
          "checksum");

  private SlsReport() {}

  /** Returns the report of all sizes and of stock SLS. */
  public static Report of(List<SlsSpeed> speeds, StockSlsSpeed stock) {
    List<List<String>> rows = new ArrayList<>();
    List<String> remarks = new ArrayList<>();
    for (SlsSpeed speed : speeds) {
      rows.add(row(speed));
    }
    rows.add(row(stock));
    remarks.add(
        "Policy charon on the generator's workload, jobs in proportion to nodes and hours. The second of two runs is timed;");
    remarks.add("a run ends with the last submission. Heap including garbage, of both runs.");
    stock.remarks().forEach(remarks::add);
    remarks.add("");
    for (SlsSpeed speed : speeds) {
      remarks.add(target(speed).line());
      if (!speed.agrees()) {
        remarks.add(
            "The two runs of %d nodes differ: %s and %s"
                .formatted(
                    speed.size().nodes(), checksum(speed.warmUp()), checksum(speed.result())));
      }
    }
    return new Report(
        HEADER, rows, remarks, json(speeds, stock), speeds.stream().allMatch(SlsSpeed::agrees));
  }

  private static List<String> row(SlsSpeed speed) {
    RunResult result = speed.result();
    return List.of(
        "charon",
        Integer.toString(speed.size().nodes()),
        Integer.toString(jobs(speed)),
        number("%.0f", result.execution().virtualSeconds()),
        number("%.1f", speed.wallSeconds()),
        number("%.0f", speed.virtualPerSecond()),
        number("%.0f", speed.eventsPerSecond()),
        number("%.0f", speed.peakHeapBytes() / MEGABYTE),
        checksum(result));
  }

  private static List<String> row(StockSlsSpeed stock) {
    return List.of(
        "stock SLS",
        Integer.toString(stock.nodes()),
        Integer.toString(stock.jobs()),
        stock.measured() ? number("%.0f", stock.virtualSeconds()) : "-",
        stock.measured() ? number("%.1f", stock.wallSeconds()) : "-",
        stock.measured() ? number("%.2f", stock.virtualPerSecond()) : "-",
        "-",
        "-",
        "-");
  }

  private static Target target(SlsSpeed speed) {
    return new Target(
        "%d nodes: at least %.0f virtual seconds for each second"
            .formatted(speed.size().nodes(), speed.size().targetPerSecond()),
        number("%.0f", speed.virtualPerSecond()),
        speed.virtualPerSecond() >= speed.size().targetPerSecond());
  }

  private static ObjectNode json(List<SlsSpeed> speeds, StockSlsSpeed stock) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode sizes = root.putArray("sizes");
    for (SlsSpeed speed : speeds) {
      sizes
          .addObject()
          .put("nodes", speed.size().nodes())
          .put("hours", speed.size().hours())
          .put("jobs", jobs(speed))
          .put("virtualSeconds", speed.result().execution().virtualSeconds())
          .put("wallSeconds", speed.wallSeconds())
          .put("virtualPerWallSecond", speed.virtualPerSecond())
          .put("eventsPerSecond", speed.eventsPerSecond())
          .put("peakHeapBytes", speed.peakHeapBytes())
          .put("eventChecksum", checksum(speed.result()))
          .put("runsAgree", speed.agrees())
          .put("target", speed.size().targetPerSecond())
          .put("met", target(speed).met());
    }
    ObjectNode other = root.putObject("stockSls");
    other.put("nodes", stock.nodes());
    other.put("jobs", stock.jobs());
    other.put("measured", stock.measured());
    if (stock.measured()) {
      other.put("virtualSeconds", stock.virtualSeconds());
      other.put("wallSeconds", stock.wallSeconds());
      other.put("virtualPerWallSecond", stock.virtualPerSecond());
    }
    ArrayNode remarks = other.putArray("remarks");
    stock.remarks().forEach(remarks::add);
    root.put("cpus", Runtime.getRuntime().availableProcessors());
    return root;
  }

  private static int jobs(SlsSpeed speed) {
    return speed.result().bestEffort().submitted() + speed.result().production().submitted();
  }

  private static String checksum(RunResult result) {
    return EventChecksum.hex(result.execution().eventChecksum());
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
