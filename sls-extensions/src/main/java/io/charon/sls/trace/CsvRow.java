/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.commons.csv.CSVRecord;

/** A row of a table and its place, with typed access to its fields. */
public final class CsvRow {
  private static final int LONGEST_TEXT = 256;
  private static final String BYTE_ORDER_MARK = "\ufeff";

  private final String file;
  private final CSVRecord record;

  CsvRow(String file, CSVRecord record) {
    this.file = file;
    this.record = record;
  }

  /** Returns file and line. */
  public String place() {
    return file + ":" + record.getParser().getCurrentLineNumber();
  }

  /** Returns the place of any line, for use when it could not be parsed into a row. */
  static String place(String file, long line) {
    return file + ":" + line;
  }

  /** Returns the number of fields. */
  public int size() {
    return record.size();
  }

  /**
   * Returns a field unchanged.
   *
   * @throws BadField if there is no such field, or it is too long
   */
  public String text(int column) throws BadField {
    if (column >= record.size()) {
      throw new BadField("%d fields, at least %d are needed".formatted(record.size(), column + 1));
    }
    String value = record.get(column);
    if (value.length() > LONGEST_TEXT) {
      throw new BadField(
          "field %d has more than %d characters".formatted(column + 1, LONGEST_TEXT));
    }
    return value;
  }

  /**
   * Returns the names of a table's columns, if this is the row that holds them.
   *
   * @throws IOException if a name is too long; the message names the place
   */
  public List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    try {
      for (int column = 0; column < size(); column++) {
        String name = bareText(column);
        names.add(name.startsWith(BYTE_ORDER_MARK) ? bare(name.substring(1)) : name);
      }
      return names;
    } catch (BadField e) {
      throw new IOException(place() + ": " + e.getMessage(), e);
    }
  }

  /**
   * Returns a field without the quotes that some programs put around every string. A comma within
   * quotes is not supported.
   *
   * @throws BadField if there is no such field, or it is too long
   */
  public String bareText(int column) throws BadField {
    return bare(text(column));
  }

  private static String bare(String text) {
    String trimmed = text.trim();
    return trimmed.length() >= 2 && trimmed.startsWith("\"") && trimmed.endsWith("\"")
        ? trimmed.substring(1, trimmed.length() - 1)
        : trimmed;
  }

  Optional<String> optionalText(int column) throws BadField {
    return Optional.of(text(column)).filter(value -> !value.isEmpty());
  }

  long integer(int column, long lowest, long highest) throws BadField {
    String value = text(column);
    try {
      long number = Long.parseLong(value);
      if (number >= lowest && number <= highest) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw bad(column, value, "an integer", e);
    }
    throw bad(column, value, "from " + lowest + " to " + highest, null);
  }

  /**
   * Returns a number that is not negative; empty if the field is empty.
   *
   * @throws BadField if the field is anything else
   */
  public OptionalDouble number(int column) throws BadField {
    String value = text(column);
    if (value.isEmpty()) {
      return OptionalDouble.empty();
    }
    try {
      double number = Double.parseDouble(value);
      if (number >= 0 && !Double.isInfinite(number)) {
        return OptionalDouble.of(number);
      }
    } catch (NumberFormatException e) {
      throw bad(column, value, "a number", e);
    }
    throw bad(column, value, "a number that is not negative", null);
  }

  private static BadField bad(int column, String value, String wanted, Throwable cause) {
    return new BadField("field %d is \"%s\", not %s".formatted(column + 1, value, wanted), cause);
  }

  /** Thrown if a field does not match the format; the row is left out. */
  public static final class BadField extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message message for the user
     */
    public BadField(String message) {
      super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message message for the user
     * @param cause the exception that revealed the problem
     */
    public BadField(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
