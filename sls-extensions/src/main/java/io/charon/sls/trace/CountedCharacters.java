/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;

/** Passes every character that is read to a check, which may reject it. */
abstract class CountedCharacters extends FilterReader {
  CountedCharacters(Reader in) {
    super(in);
  }

  /**
   * Checks the next character.
   *
   * @throws IOException if nothing more may be read
   */
  abstract void count(char character) throws IOException;

  @Override
  public int read() throws IOException {
    int character = super.read();
    if (character >= 0) {
      count((char) character);
    }
    return character;
  }

  @Override
  public int read(char[] buffer, int offset, int size) throws IOException {
    int got = super.read(buffer, offset, size);
    for (int i = offset; i < offset + got; i++) {
      count(buffer[i]);
    }
    return got;
  }
}
