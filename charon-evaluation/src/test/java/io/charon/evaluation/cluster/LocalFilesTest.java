/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("hadoop")
class LocalFilesTest {
  private static final FsPermission STICKY = new FsPermission((short) 01710);

  @TempDir private java.nio.file.Path directory;
  private final Configuration configuration = new Configuration();

  @BeforeEach
  void configure() {
    LocalFiles.properties().forEach(configuration::set);
    // Another configuration's file system may be cached by this JVM.
    configuration.setBoolean("fs.file.impl.disable.cache", true);
  }

  @Test
  void setsModesOfFilesAndDirectoriesStickyBitIncluded() throws Exception {
    FileSystem files = FileSystem.get(configuration);
    assertThat(files).isInstanceOf(LocalFiles.Checked.class);
    Path parent = new Path(directory.resolve("a").toUri());
    Path file = new Path(parent, "b");
    assertThat(files.mkdirs(parent, new FsPermission((short) 0710))).isTrue();
    files.setPermission(parent, STICKY);
    try (FSDataOutputStream out = files.create(file)) {
      out.writeUTF("text");
    }
    files.setPermission(file, new FsPermission((short) 0640));
    assertThat(mode("a")).isEqualTo(01710);
    assertThat(mode("a/b")).isEqualTo(0640);
    assertThat(files.open(file).readUTF()).isEqualTo("text");
    assertThat(files.getFileStatus(file).getPermission().toShort()).isEqualTo((short) 0640);
  }

  @Test
  void theFileContextOfNodeManagersDoesToo() throws Exception {
    FileContext files = FileContext.getLocalFSFileContext(configuration);
    assertThat(files.getDefaultFileSystem()).isInstanceOf(LocalFiles.CheckedContext.class);
    files.setUMask(new FsPermission((short) 0));
    Path parent = new Path(directory.resolve("a").toUri());
    files.mkdir(parent, new FsPermission((short) 0711), false);
    Path file = new Path(parent, "b");
    files
        .create(
            file,
            EnumSet.of(CreateFlag.CREATE),
            Options.CreateOpts.perms(new FsPermission((short) 0600)))
        .close();
    assertThat(mode("a")).isEqualTo(0711);
    assertThat(mode("a/b")).isEqualTo(0600);
    files.setPermission(parent, STICKY);
    assertThat(mode("a")).isEqualTo(01710);
    assertThat(files.util().exists(file)).isTrue();
  }

  private int mode(String name) throws Exception {
    return (int) Files.getAttribute(directory.resolve(name), "unix:mode") & 07777;
  }
}
