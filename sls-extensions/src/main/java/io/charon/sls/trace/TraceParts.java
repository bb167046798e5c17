/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the files of a trace and detects missing parts. */
final class TraceParts {
  private static final Pattern PART = Pattern.compile("part-(\\d{5})-of-(\\d{5})\\.csv\\.gz");

  private TraceParts() {}

  /**
   * Returns the files of a directory that match a pattern such as {@code tasks_*.csv.gz}, in the
   * order of their names.
   */
  static List<Path> matching(Path directory, String glob) throws TraceException {
    if (!Files.isDirectory(directory)) {
      throw new TraceException(directory + ": no such directory");
    }
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, glob)) {
      stream.forEach(files::add);
    } catch (DirectoryIteratorException | IOException e) {
      throw new TraceException(directory + ": cannot be listed: " + e.getMessage(), e);
    }
    if (files.isEmpty()) {
      throw new TraceException(directory + ": no file " + glob);
    }
    Collections.sort(files);
    return files;
  }

  /**
   * Returns the numbered parts of a Google 2011 table; none may be missing between the first and
   * the last.
   */
  static List<Path> numbered(Path directory) throws TraceException {
    List<Path> files = matching(directory, "part-?????-of-?????.csv.gz");
    int expected = -1;
    for (Path file : files) {
      Matcher name = PART.matcher(file.getFileName().toString());
      if (!name.matches()) {
        throw new TraceException(file + ": not the name of a part");
      }
      int number = Integer.parseInt(name.group(1));
      if (expected >= 0 && number != expected) {
        throw new TraceException(
            "%s: missing, but there is a part before it and %s after it"
                .formatted(
                    directory.resolve("part-%05d-of-%s.csv.gz".formatted(expected, name.group(2))),
                    file.getFileName()));
      }
      expected = number + 1;
    }
    return files;
  }
}
