/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import java.util.ArrayList;
import java.util.List;

/** Rows of a trace that make no sense: counted, the first ones kept for the user. */
public final class BadRows {
  private static final int LISTED = 10;

  private final boolean strict;
  private final List<String> first = new ArrayList<>();
  private long count;

  /**
   * An empty list.
   *
   * @param strict whether the first bad row ends the import
   */
  public BadRows(boolean strict) {
    this.strict = strict;
  }

  /**
   * Notes a row.
   *
   * @param place file and line
   * @param cause what is wrong with it
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

  /** How many there were. */
  public long count() {
    return count;
  }

  /** The first ones: file, line and cause. */
  public List<String> first() {
    return List.copyOf(first);
  }
}
