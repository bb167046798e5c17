/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumFs;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.FsConstants;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Hadoop's local file systems, but modes of files are set without a process for each of them.
 *
 * <p>An installed Hadoop sets them by its native library, which its Maven artifacts lack. Without
 * it, each mode costs a {@code chmod}: about seven processes for each container that starts, which
 * delay production on a machine of two processors as no NodeManager of a real cluster does.
 */
final class LocalFiles {
  private static final int NO_DEFAULT_PORT = -1;

  private LocalFiles() {}

  /** Returns the properties that make Hadoop use these file systems. */
  static Map<String, String> properties() {
    return Map.of(
        "fs.file.impl", Checked.class.getName(),
        "fs.AbstractFileSystem.file.impl", CheckedContext.class.getName());
  }

  /** As {@link LocalFileSystem}. */
  public static final class Checked extends LocalFileSystem {
    /** Called by Hadoop. */
    public Checked() {
      super(new Raw());
    }
  }

  /** As {@link org.apache.hadoop.fs.local.LocalFs}, for {@code FileContext}. */
  public static final class CheckedContext extends ChecksumFs {
    /** Called by Hadoop. */
    public CheckedContext(URI unused, Configuration configuration)
        throws IOException, URISyntaxException {
      super(new RawContext(configuration));
    }
  }

  private static final class RawContext extends DelegateToFileSystem {
    RawContext(Configuration configuration) throws IOException, URISyntaxException {
      super(
          FsConstants.LOCAL_FS_URI,
          new Raw(),
          configuration,
          FsConstants.LOCAL_FS_URI.getScheme(),
          false);
    }

    @Override
    public int getUriDefaultPort() {
      return NO_DEFAULT_PORT;
    }

    @Override
    public boolean isValidName(String name) {
      return true; // As in Hadoop: other file systems restrict names, this one does not.
    }
  }

  private static final class Raw extends RawLocalFileSystem {
    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
      Files.setAttribute(pathToFile(path).toPath(), "unix:mode", (int) permission.toShort());
    }
  }
}
