/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import java.io.IOException;
import java.io.Reader;

/**
 * Rejects JSON in which a string, name or number is longer than a limit. The parser reads each of
 * them into memory before the program can check it, even for fields that are not used.
 */
final class BoundedTokens extends CountedCharacters {
  private static final String BETWEEN = ",:[]{} \t\r\n";

  private final int limit;
  private int length;
  private boolean text;
  private boolean escaped;

  BoundedTokens(Reader in, int limit) {
    super(in);
    this.limit = limit;
  }

  @Override
  void count(char character) throws IOException {
    if (text) {
      text = escaped || character != '"';
      escaped = !escaped && character == '\\';
      length++;
    } else {
      text = character == '"';
      length = text || BETWEEN.indexOf(character) >= 0 ? 0 : length + 1;
    }
    if (length > limit) {
      throw new IOException("a text, name or number of more than " + limit + " characters");
    }
  }
}
