/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReleaseArchiveTest {
  private static final Instant TIME = Instant.parse("2026-11-22T10:00:00Z");

  @TempDir Path directory;

  @Test
  void theSameFilesGiveTheSameBytesWhateverTheirTimesAndOrder() throws IOException {
    Path one = Files.writeString(directory.resolve("one"), "1");
    Path two = Files.writeString(directory.resolve("two"), "2");
    ReleaseFiles first = new ReleaseFiles();
    first.add("b", one);
    first.addProgram("a/run", two);
    ReleaseArchive.write(directory.resolve("first.tar.gz"), "top", first, TIME);

    Files.setLastModifiedTime(one, FileTime.from(Instant.EPOCH));
    ReleaseFiles second = new ReleaseFiles();
    second.addProgram("a/run", two);
    second.add("b", one);
    ReleaseArchive.write(directory.resolve("second.tar.gz"), "top", second, TIME);

    assertThat(directory.resolve("second.tar.gz"))
        .hasSameBinaryContentAs(directory.resolve("first.tar.gz"));
  }

  @Test
  void everythingIsBelowOneDirectoryOfRootAndOnlyProgramsAreRun() throws IOException {
    ReleaseFiles files = new ReleaseFiles();
    files.add("conf/text", "text");
    files.addProgram("sbin/run", Files.writeString(directory.resolve("run"), "#!/bin/sh"));
    Path archive = directory.resolve("archive.tar.gz");

    ReleaseArchive.write(archive, "charon-1", files, TIME);

    assertThat(entries(archive))
        .allSatisfy(
            entry -> {
              assertThat(entry.getUserName()).isEqualTo("root");
              assertThat(entry.getLongUserId()).isZero();
              assertThat(entry.getLastModifiedDate()).isEqualTo(TIME);
            })
        .extracting(entry -> "%o %s".formatted(entry.getMode(), entry.getName()))
        .containsExactly(
            "40755 charon-1/",
            "40755 charon-1/conf/",
            "40755 charon-1/sbin/",
            "100644 charon-1/conf/text",
            "100755 charon-1/sbin/run");
  }

  @Test
  void aTreeIsAddedWithItsSubdirectories() throws IOException {
    Path tree = Files.createDirectories(directory.resolve("tree"));
    Files.createDirectories(tree.resolve("experiments"));
    Files.writeString(tree.resolve("experiments/large.yaml"), "x");
    Files.writeString(tree.resolve("site.xml"), "x");
    ReleaseFiles files = new ReleaseFiles();

    files.addTree("conf/", tree);

    assertThat(files.contents()).containsOnlyKeys("conf/site.xml", "conf/experiments/large.yaml");
  }

  private static List<TarArchiveEntry> entries(Path archive) throws IOException {
    List<TarArchiveEntry> entries = new ArrayList<>();
    try (InputStream file = Files.newInputStream(archive);
        TarArchiveInputStream tar =
            new TarArchiveInputStream(new GzipCompressorInputStream(file))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        entries.add(entry);
      }
    }
    return entries;
  }
}
