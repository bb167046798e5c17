/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import java.io.IOException;
import java.io.Reader;

/** Rejects very long lines, with which a small compressed file could fill the memory. */
final class BoundedLines extends CountedCharacters {
  private final int limit;
  private int length;

  BoundedLines(Reader in, int limit) {
    super(in);
    this.limit = limit;
  }

  @Override
  void count(char character) throws IOException {
    length = character == '\n' ? 0 : length + 1;
    if (length > limit) {
      throw new IOException("a line of more than " + limit + " characters");
    }
  }
}
