/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.zip.Deflater;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipParameters;

/**
 * Writes a {@code tar.gz} whose bytes depend only on its contents. The entries are sorted by path,
 * have the same time, belong to root, and have mode 644, or 755 for programs and directories.
 */
public final class ReleaseArchive {
  private static final int FILE = 0100644;
  private static final int PROGRAM = 0100755;
  private static final int DIRECTORY = 040755;

  private ReleaseArchive() {}

  /**
   * Writes an archive; an existing file is replaced when the new one is complete.
   *
   * @param archive file to write, in an existing directory
   * @param top name of the directory that contains everything in the archive
   * @param time time of every entry
   * @throws IOException if the archive cannot be written
   */
  public static void write(Path archive, String top, ReleaseFiles files, Instant time)
      throws IOException {
    Path unfinished = archive.resolveSibling(archive.getFileName() + ".unfinished");
    try (TarArchiveOutputStream tar = open(unfinished)) {
      for (String directory : directories(files)) {
        put(tar, top + "/" + directory, DIRECTORY, new byte[0], time);
      }
      for (var file : files.contents().entrySet()) {
        int mode = files.isProgram(file.getKey()) ? PROGRAM : FILE;
        put(tar, top + "/" + file.getKey(), mode, file.getValue(), time);
      }
    }
    Files.move(unfinished, archive, StandardCopyOption.REPLACE_EXISTING);
  }

  private static TarArchiveOutputStream open(Path file) throws IOException {
    GzipParameters parameters = new GzipParameters();
    parameters.setCompressionLevel(Deflater.BEST_COMPRESSION);
    TarArchiveOutputStream tar =
        new TarArchiveOutputStream(
            new GzipCompressorOutputStream(
                new BufferedOutputStream(Files.newOutputStream(file)), parameters));
    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
    return tar;
  }

  /** Returns every directory of the release with a trailing slash; "" is the top. */
  private static SortedSet<String> directories(ReleaseFiles files) {
    SortedSet<String> directories = new TreeSet<>();
    directories.add("");
    for (String path : files.contents().keySet()) {
      for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
        directories.add(path.substring(0, slash + 1));
      }
    }
    return directories;
  }

  private static void put(
      TarArchiveOutputStream tar, String name, int mode, byte[] content, Instant time)
      throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name);
    entry.setMode(mode);
    entry.setSize(content.length);
    entry.setModTime(time.toEpochMilli());
    entry.setIds(0, 0);
    entry.setNames("root", "root");
    tar.putArchiveEntry(entry);
    tar.write(content);
    tar.closeArchiveEntry();
  }
}
