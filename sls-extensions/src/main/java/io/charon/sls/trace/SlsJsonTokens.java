/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * The tokens of one JSON file, which may be compressed. Everything that a file could make large is
 * bounded: nesting, tokens, texts, objects and lists.
 */
// Jackson renamed these methods between the versions of Hadoop 3.4 and 3.5.
@SuppressWarnings("deprecation")
final class SlsJsonTokens implements Closeable {
  private static final int LONGEST_CURVE = 100_000;
  private static final int LONGEST_TEXT = 256;

  /** Longest token, also of skipped fields. */
  private static final int LONGEST_TOKEN = 64 * 1024;

  /**
   * Maximum number of fields of an object, which are kept until it ends; the format has fewer than
   * 20.
   */
  private static final int MAX_FIELDS = 1000;

  /**
   * Deepest nesting. The format needs 6; Jackson stops at 1000 in some versions and never in
   * others.
   */
  private static final int DEEPEST = 100;

  private final Path file;
  private final JsonParser parser;
  private int depth;

  /** Opens a file, which is decompressed if its name ends with {@code .gz}. */
  SlsJsonTokens(Path file) throws IOException {
    this.file = file;
    InputStream raw = new BufferedInputStream(Files.newInputStream(file));
    JsonParser opened = null;
    try {
      InputStream plain = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
      opened =
          JsonFactory.builder()
              .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
              .build()
              .createParser(
                  new BoundedTokens(
                      new InputStreamReader(plain, StandardCharsets.UTF_8), LONGEST_TOKEN));
    } finally {
      if (opened == null) {
        raw.close();
      }
    }
    parser = opened;
  }

  /** Returns the next token; null at the end of the file. */
  JsonToken next() throws IOException {
    JsonToken token = parser.nextToken();
    if (token == null) {
      return null;
    }
    if (token.isStructStart() && ++depth > DEEPEST) {
      throw new TraceException(
          "%s: objects and arrays are nested more than %d deep".formatted(place(), DEEPEST));
    }
    if (token.isStructEnd()) {
      depth--;
    }
    return token;
  }

  JsonToken current() {
    return parser.currentToken();
  }

  /** Returns the name of the current field. */
  String name() throws IOException {
    return parser.getCurrentName();
  }

  /** Returns the file and the line up to which it was read. */
  String place() {
    return CsvRow.place(file.toString(), parser.getCurrentLocation().getLineNr());
  }

  /** Returns the line of the current token. */
  long line() {
    return parser.getTokenLocation().getLineNr();
  }

  /** Adds the numbers of the array that begins at the current token. */
  void numbers(List<Long> numbers) throws IOException {
    if (current() != JsonToken.START_ARRAY) {
      throw new TraceException(place() + ": times and mems must be arrays");
    }
    while (next() != JsonToken.END_ARRAY) {
      if (numbers.size() == LONGEST_CURVE) {
        throw new TraceException(place() + ": more than " + LONGEST_CURVE + " points in a curve");
      }
      // The default of anything that is not a number makes the curve invalid.
      numbers.add(parser.getValueAsLong(-1));
      skipChildren();
    }
  }

  /** Adds the current value to the fields of an object, unless it is an object or an array. */
  void scalar(Map<String, String> fields, String name, JsonToken value) throws IOException {
    if (value.isStructStart()) {
      skipChildren();
    } else if (parser.getTextLength() > LONGEST_TEXT) {
      throw new TraceException(
          "%s: %s has more than %d characters".formatted(place(), name, LONGEST_TEXT));
    } else if (fields.size() == MAX_FIELDS && !fields.containsKey(name)) {
      throw new TraceException(
          "%s: more than %d fields in an object".formatted(place(), MAX_FIELDS));
    } else {
      fields.put(name, parser.getText());
    }
  }

  /** Skips the object or array that begins at the current token; does nothing for other tokens. */
  void skipChildren() throws IOException {
    if (current().isStructStart()) {
      int around = depth - 1;
      while (depth > around) {
        next();
      }
    }
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }
}
