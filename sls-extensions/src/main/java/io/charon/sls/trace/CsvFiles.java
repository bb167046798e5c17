/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * The rows of several CSV files, one file after the other, with one row in memory at a time. Files
 * whose names end in {@code .gz} are decompressed.
 */
public final class CsvFiles implements Closeable {
  private static final int LONGEST_LINE = 1 << 16;
  // Without quotes: in the cell traces a quote is a broken row, and must not swallow the following
  // rows.
  private static final CSVFormat FORMAT =
      CSVFormat.newFormat(',').builder().setIgnoreEmptyLines(true).build();

  private final Deque<Path> files;
  private final List<String> columns;
  private CSVParser parser;
  private Iterator<CSVRecord> records;
  private String file = "";
  private long rows;

  /**
   * Creates a reader of some files.
   *
   * @param columns the expected first line of each file; empty if the files have no such line
   */
  public CsvFiles(List<Path> files, List<String> columns) {
    this.files = new ArrayDeque<>(files);
    this.columns = List.copyOf(columns);
  }

  /**
   * Returns the next row.
   *
   * @throws TraceException if a file cannot be read or is incomplete
   */
  public Optional<CsvRow> next() throws TraceException {
    try {
      while (true) {
        if (records != null && records.hasNext()) {
          rows++;
          return Optional.of(new CsvRow(file, records.next()));
        }
        if (parser != null) {
          parser.close();
        }
        if (files.isEmpty()) {
          return Optional.empty();
        }
        open(files.remove());
      }
    } catch (IOException e) {
      throw broken(e);
    } catch (UncheckedIOException | IllegalStateException e) {
      // Commons CSV wraps exceptions of its iterator; up to version 1.9 in an
      // IllegalStateException.
      if (e.getCause() instanceof IOException cause) {
        throw broken(cause);
      }
      throw e;
    }
  }

  long rows() {
    return rows;
  }

  @Override
  public void close() throws IOException {
    if (parser != null) {
      parser.close();
    }
  }

  private void open(Path path) throws IOException {
    file = path.toString();
    parser = null;
    InputStream raw = Files.newInputStream(path);
    try {
      InputStream bytes = file.endsWith(".gz") ? new GZIPInputStream(raw, 1 << 16) : raw;
      Reader text = new InputStreamReader(bytes, StandardCharsets.UTF_8);
      parser = CSVParser.parse(new BoundedLines(text, LONGEST_LINE), FORMAT);
    } finally {
      if (parser == null) {
        raw.close();
      }
    }
    records = parser.iterator();
    if (!columns.isEmpty()) {
      List<String> found = records.hasNext() ? records.next().toList() : List.of();
      if (!found.equals(columns)) {
        throw new IOException("the columns are " + found + ", not " + columns);
      }
    }
  }

  private TraceException broken(IOException e) {
    String place = parser == null ? file : CsvRow.place(file, parser.getCurrentLineNumber() + 1);
    return new TraceException(place + ": " + cause(e), e);
  }

  /** Describes the problem of a compressed file in words. */
  static String cause(IOException e) {
    if (e instanceof EOFException) {
      return "the file ends within its compressed data: it is truncated";
    }
    if (e instanceof ZipException) {
      return "not a complete gzip file (" + e.getMessage() + ")";
    }
    return e.getMessage();
  }
}
