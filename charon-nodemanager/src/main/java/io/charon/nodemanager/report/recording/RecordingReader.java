/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.recording;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.nodemanager.files.ReadableFiles;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Reads one file of a recording line by line. */
public final class RecordingReader {
  /**
   * Longest accepted line in characters; a node with 1,000 best-effort containers has lines of 60
   * kB.
   */
  private static final int LONGEST_LINE = 4 << 20;

  /** Treats a truncated file as complete, because its writer was killed or is still writing. */
  private static final class Unfinished extends FilterInputStream {
    Unfinished(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      try {
        return super.read(into, offset, length);
      } catch (EOFException cut) {
        return -1;
      }
    }
  }

  private final ObjectMapper mapper = new ObjectMapper();
  private final Path file;

  /** Creates a reader without opening the file. */
  public RecordingReader(Path file) {
    this.file = file;
  }

  /**
   * Reads the file from its beginning. If its end is missing because the NodeManager was killed,
   * the existing part is read.
   *
   * @param each receives the lines in order; the first is {@link Recorded.Begun}
   * @return the number of lines; 0 if the file ends before the end of its first line, as a file
   *     does that was begun in the last two seconds
   * @throws IOException naming the file and why it cannot be read, the malformed line, or an
   *     unsupported format version
   */
  public long read(Consumer<Recorded> each) throws IOException {
    long number = 0;
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(content(), StandardCharsets.UTF_8))) {
      for (String line = line(lines); line != null; line = line(lines)) {
        number++;
        Recorded recorded = mapper.readValue(line, Recorded.class);
        if (number == 1) {
          requireBeginning(recorded);
        }
        each.accept(recorded);
      }
    } catch (ZipException e) {
      throw new IOException(
          "%s is damaged after line %d: %s".formatted(file, number, e.getMessage()), e);
    } catch (JsonProcessingException e) {
      throw new IOException(
          "%s: line %d is not a line of a recording: %s"
              .formatted(file, number, e.getOriginalMessage()),
          e);
    }
    return number;
  }

  private InputStream content() throws IOException {
    InputStream compressed = ReadableFiles.open(file);
    try {
      return new Unfinished(new GZIPInputStream(compressed));
    } catch (EOFException cut) {
      compressed.close();
      return InputStream.nullInputStream();
    } catch (ZipException e) {
      compressed.close();
      throw new IOException(
          file + " is not a recording, which is compressed with gzip: " + e.getMessage(), e);
    }
  }

  private void requireBeginning(Recorded first) throws IOException {
    if (!(first instanceof Recorded.Begun begun)) {
      throw new IOException(file + " is not a recording: its first line is not a header");
    }
    if (begun.format() != Recorded.FORMAT) {
      throw new IOException(
          "%s has format %d, this version reads %d"
              .formatted(file, begun.format(), Recorded.FORMAT));
    }
  }

  /** Returns the next line without its terminator, or null; an incomplete last line is dropped. */
  private String line(BufferedReader lines) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = lines.read(); next >= 0; next = lines.read()) {
      if (next == '\n') {
        return line.toString();
      }
      if (line.length() == LONGEST_LINE) {
        throw new IOException(
            "%s: a line has more than %d characters".formatted(file, LONGEST_LINE));
      }
      line.append((char) next);
    }
    return null;
  }
}
