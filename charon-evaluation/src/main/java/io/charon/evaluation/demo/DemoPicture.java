/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.report.ReportFiles;
import io.charon.evaluation.statistics.Percentiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Draws the result: for each mode the completed work, the used memory and production's time, with
 * the range over all runs so far. Produces bars for a terminal, and a self-contained HTML page.
 */
final class DemoPicture {
  private static final int TERMINAL_WIDTH = 40;
  private static final int BAR_PIXELS = 420;
  private static final Map<DemoMode, String> COLOURS =
      Map.of(
          DemoMode.ALONE, "#888888",
          DemoMode.STOCK_YARN, "#e69f00",
          DemoMode.CHARON, "#0072b2",
          DemoMode.THRESHOLD, "#cc79a7",
          DemoMode.REGULATED, "#009e73");

  /**
   * One quantity.
   *
   * @param title a short title
   * @param format format of a value
   * @param bars one bar for each mode
   */
  private record Panel(String title, String format, List<Bar> bars) {
    double largest() {
      return bars.stream().mapToDouble(bar -> bar.most).max().orElse(1);
    }

    String text(double value) {
      return String.format(Locale.ROOT, format, value);
    }

    String text(Bar bar) {
      return bar.least == bar.most
          ? text(bar.median)
          : text(bar.median) + " (" + text(bar.least) + " to " + text(bar.most) + ")";
    }
  }

  private record Bar(DemoMode mode, double median, double least, double most) {
    static Bar of(DemoMode mode, List<Double> values) {
      return new Bar(
          mode,
          Percentiles.median(values).orElse(0),
          values.stream().mapToDouble(Double::doubleValue).min().orElse(0),
          values.stream().mapToDouble(Double::doubleValue).max().orElse(0));
    }
  }

  private final List<Panel> panels;
  private final int runs;

  /**
   * Creates the picture.
   *
   * @param history all runs so far, at least one
   */
  DemoPicture(RunHistory history) {
    this.runs = history.size();
    this.panels =
        List.of(
            panel(history, "best-effort work done, tasks", "%.0f", "tasks", 1, false),
            panel(history, "memory used, % of the nodes", "%.0f", "memoryUtilization", 100, true),
            panel(
                history,
                "production's median batch, % of its time by itself",
                "%.1f",
                "productionBatchVsOwnBaseline",
                100,
                true));
  }

  private static Panel panel(
      RunHistory history, String title, String format, String field, double factor, boolean all) {
    List<Bar> bars = new ArrayList<>();
    for (DemoMode mode : DemoMode.values()) {
      List<Double> values =
          history.values("/modes/" + mode.label() + "/" + field).stream()
              .map(value -> value * factor)
              .toList();
      if (!values.isEmpty() && (all || mode.runsBestEffort())) {
        bars.add(Bar.of(mode, values));
      }
    }
    return new Panel(title, format, List.copyOf(bars));
  }

  /** Returns the picture as bars of characters. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (Panel panel : panels) {
      lines.add("");
      lines.add(panel.title());
      for (Bar bar : panel.bars()) {
        int length = (int) Math.round(TERMINAL_WIDTH * bar.median() / panel.largest());
        lines.add(
            String.format(
                Locale.ROOT,
                "  %-10s %s%s %s",
                bar.mode().label(),
                "█".repeat(length),
                " ".repeat(TERMINAL_WIDTH - length),
                panel.text(bar)));
      }
    }
    return lines;
  }

  /** Writes the HTML page. */
  void write(Path file) throws IOException {
    ReportFiles.write(
        file,
        """
        <!DOCTYPE html>
        <html lang="en">
        <head><meta charset="utf-8"><title>Charon demo</title>
        <style>
        body { font: 15px/1.4 sans-serif; margin: 2em auto; max-width: 760px; color: #222 }
        h2 { font-size: 1em; margin: 1.6em 0 0.3em }
        text { font: 14px sans-serif; fill: #222 }
        </style></head>
        <body>
        <h1>The same cluster, the same production</h1>
        <p>%s; the line in a bar's end is the range.</p>
        %s
        </body></html>
        """
            .formatted(
                runs == 1 ? "One run" : "Medians of " + runs + " runs",
                panels.stream().map(DemoPicture::svg).collect(Collectors.joining("\n"))));
  }

  private static String svg(Panel panel) {
    StringBuilder svg = new StringBuilder();
    svg.append("<h2>").append(panel.title()).append("</h2>\n");
    svg.append(
        String.format(
            Locale.ROOT, "<svg width=\"740\" height=\"%d\">\n", 34 * panel.bars().size()));
    int y = 0;
    for (Bar bar : panel.bars()) {
      double scale = BAR_PIXELS / panel.largest();
      svg.append(
          String.format(
              Locale.ROOT,
              "<text x=\"0\" y=\"%d\">%s</text>"
                  + "<rect x=\"100\" y=\"%d\" width=\"%.1f\" height=\"24\" fill=\"%s\"/>"
                  + "<path d=\"M%.1f %dH%.1f\" stroke=\"#222\" stroke-width=\"2\"/>"
                  + "<text x=\"%.1f\" y=\"%d\">%s</text>\n",
              y + 20,
              bar.mode().label(),
              y + 4,
              bar.median() * scale,
              COLOURS.get(bar.mode()),
              100 + bar.least() * scale,
              y + 16,
              100 + bar.most() * scale,
              110 + bar.most() * scale,
              y + 20,
              panel.text(bar)));
      y += 34;
    }
    return svg.append("</svg>").toString();
  }
}
