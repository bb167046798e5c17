/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import java.time.LocalDate;
import java.util.Locale;

/** Writes the macros of man(7). */
final class Roff {
  private final StringBuilder page = new StringBuilder();

  void title(String name, LocalDate date, String version) {
    page.append(
            ".TH \"%s\" \"1\" \"%s\" \"Charon %s\" \"Charon\"\n"
                .formatted(escape(name.toUpperCase(Locale.ROOT)), date, escape(version)))
        // Left-aligned without hyphenation, because commands and keys are copied from the pages.
        .append(".nh\n.ad l\n");
  }

  void section(String title) {
    page.append(".SH \"").append(title).append("\"\n");
  }

  void text(String paragraph) {
    page.append(".PP\n").append(line(paragraph)).append('\n');
  }

  void item(String term, String description) {
    page.append(".TP\n.B ").append(escape(term)).append('\n');
    page.append(line(description)).append('\n');
  }

  /** Adds lines without filling. */
  void verbatim(String text) {
    page.append(".nf\n");
    text.stripTrailing().lines().forEach(line -> page.append(line(line)).append('\n'));
    page.append(".fi\n");
  }

  /** Escapes a line, because a leading dot or apostrophe would start a macro. */
  private static String line(String text) {
    String escaped = escape(text);
    return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
  }

  private static String escape(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-");
  }

  @Override
  public String toString() {
    return page.toString();
  }
}
