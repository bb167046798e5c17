/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.report;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A folder for a result, which can be checked before hours of work.
 *
 * @param folder the folder, which may not exist
 */
public record ResultFolder(Path folder) {
  /**
   * Creates the folder if needed and checks that files can be written into it.
   *
   * @throws IOException if they cannot; the message names the folder and the cure
   */
  public void prepare() throws IOException {
    try {
      Files.createDirectories(folder);
    } catch (FileAlreadyExistsException e) {
      throw new IOException(folder + ": is a file; name a directory for the results", e);
    } catch (IOException e) {
      throw new IOException(folder + ": the directory cannot be created: " + e.getMessage(), e);
    }
    try {
      Files.delete(Files.createTempFile(folder, ".writable", ""));
    } catch (IOException e) {
      throw new IOException(
          folder + ": no file can be written into this directory: " + e.getMessage(), e);
    }
  }

  /**
   * Checks that a file can be written.
   *
   * @throws IOException if it cannot; the message names the file and the cure
   */
  public static void prepareFor(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException(file + ": is a directory; name a file for the result");
    }
    new ResultFolder(file.toAbsolutePath().getParent()).prepare();
  }

  /**
   * Writes tables, pictures and report.html.
   *
   * @return the reason why there are no pictures; empty if there are
   * @throws IOException if a file cannot be written
   */
  public Optional<String> write(SimulationResult result) throws IOException {
    new ResultTables(result).write(folder);
    Optional<String> impediment = Pictures.impediment();
    List<Picture> pictures = impediment.isEmpty() ? new Pictures(result).all() : List.of();
    for (Picture picture : pictures) {
      picture.write(folder);
    }
    HtmlReport.write(
        folder.resolve("report.html"),
        result,
        pictures,
        impediment.map(why -> "No charts: " + why).orElse(""));
    return impediment;
  }
}
