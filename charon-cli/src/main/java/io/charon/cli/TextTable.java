/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** A table whose columns are as wide as their widest cell. */
public final class TextTable {
  private final List<List<String>> rows = new ArrayList<>();

  public TextTable(String... header) {
    rows.add(List.of(header));
  }

  /** Adds a row, with as many cells as the header has. */
  public void add(String... cells) {
    if (cells.length != rows.get(0).size()) {
      throw new IllegalArgumentException(
          "row of " + cells.length + " cells in a table of " + rows.get(0).size() + " columns");
    }
    rows.add(List.of(cells));
  }

  public void print(PrintWriter out, String indent) {
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder(indent);
      for (int column = 0; column < row.size(); column++) {
        String cell = row.get(column);
        line.append(cell).append(" ".repeat(width(column) - cell.length() + 2));
      }
      out.println(line.toString().stripTrailing());
    }
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
