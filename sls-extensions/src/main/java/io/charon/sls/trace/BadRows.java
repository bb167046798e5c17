/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import java.util.ArrayList;
import java.util.List;

/** The rows of a trace that cannot be used: counts them and keeps the first ones for the user. */
public final class BadRows {
  private static final int LISTED = 10;

  private final boolean strict;
  private final List<String> first = new ArrayList<>();
  private long count;

  /**
   * Creates an empty list.
   *
   * @param strict whether the first bad row ends the import
   */
  public BadRows(boolean strict) {
    this.strict = strict;
  }

  /**
   * Adds a bad row.
   *
   * @param place file and line
   * @param cause the problem of the row
   * @throws TraceException if bad rows are not tolerated
   */
  public void add(String place, String cause) throws TraceException {
    String message = place + ": " + cause;
    if (strict) {
      throw new TraceException(message);
    }
    count++;
    if (first.size() < LISTED) {
      first.add(message);
    }
  }

  /** Returns the number of bad rows. */
  public long count() {
    return count;
  }

  /** Returns the first bad rows with file, line and cause. */
  public List<String> first() {
    return List.copyOf(first);
  }
}
