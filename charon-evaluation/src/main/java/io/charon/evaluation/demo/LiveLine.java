/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.io.PrintWriter;

/** A line that is redrawn in place on a terminal; elsewhere every line is printed. */
public final class LiveLine {
  private final PrintWriter out;
  private final boolean terminal;
  private int width;

  /**
   * Creates a line and draws nothing.
   *
   * @param terminal whether {@code out} is a terminal, on which a line can be redrawn
   */
  public LiveLine(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Replaces the line shown before. */
  public void show(String line) {
    if (terminal) {
      out.print("\r" + line + " ".repeat(Math.max(0, width - line.length())));
      width = line.length();
    } else {
      out.println(line);
    }
    out.flush();
  }

  /** Erases the line, so that the next output replaces it. */
  public void clear() {
    if (width > 0) {
      out.print("\r" + " ".repeat(width) + "\r");
      out.flush();
      width = 0;
    }
  }
}
