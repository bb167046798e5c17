/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.util.Base64;
import java.util.List;
import java.util.Map;

/** A report as one self-contained HTML file with targets, table and figures. */
public final class ReportHtml {
  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <title>%1$s</title>
      <style>
      body { font: 16px/1.5 sans-serif; max-width: 1100px; margin: 2em auto; padding: 0 1em; color: #222; }
      table { border-collapse: collapse; margin: 1em 0; font-size: 14px; }
      th, td { padding: 3px 10px; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap; }
      th:first-child, td:first-child { text-align: left; }
      .scroll { overflow-x: auto; }
      figure { margin: 2em 0; } figure img { width: 100%%; }
      .ok { color: #00693e; } .missed { color: #a40000; font-weight: bold; }
      </style>
      </head>
      <body>
      <h1>%1$s</h1>
      """;

  /**
   * A line about a target.
   *
   * @param line text for people
   * @param met whether the target was met
   */
  public record Verdict(String line, boolean met) {}

  private ReportHtml() {}

  /**
   * Returns the text of the file. Of the remarks, it contains those before the first empty one.
   *
   * @param title title of the page
   * @param verdicts the targets
   * @param figures figures as SVG by their description, in their order
   */
  public static String text(
      String title, Report report, List<Verdict> verdicts, Map<String, byte[]> figures) {
    StringBuilder html = new StringBuilder(HEAD.formatted(escape(title)));
    html.append("<h2>Targets</h2>\n<ul>\n");
    for (Verdict verdict : verdicts) {
      html.append("<li class=\"")
          .append(verdict.met() ? "ok" : "missed")
          .append("\">")
          .append(escape(verdict.line()))
          .append("</li>\n");
    }
    html.append("</ul>\n");
    html.append("<h2>Measured</h2>\n<div class=\"scroll\"><table>\n");
    row("th", report.header(), html);
    report.rows().forEach(row -> row("td", row, html));
    html.append("</table></div>\n");
    figures.forEach(
        (name, svg) ->
            html.append("<figure><img alt=\"")
                .append(escape(name))
                .append("\" src=\"data:image/svg+xml;base64,")
                .append(Base64.getEncoder().encodeToString(svg))
                .append("\"></figure>\n"));
    html.append("<h2>How it was measured</h2>\n<ul>\n");
    report.remarks().stream()
        .takeWhile(remark -> !remark.isEmpty())
        .forEach(remark -> html.append("<li>").append(escape(remark)).append("</li>\n"));
    return html.append("</ul>\n</body>\n</html>\n").toString();
  }

  private static void row(String tag, List<String> cells, StringBuilder html) {
    html.append("<tr>");
    for (String cell : cells) {
      html.append('<').append(tag).append('>').append(escape(cell));
      html.append("</").append(tag).append('>');
    }
    html.append("</tr>\n");
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
