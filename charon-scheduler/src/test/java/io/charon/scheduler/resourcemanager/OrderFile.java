/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import io.charon.core.stop.StopAction;
import io.charon.core.stop.StopKeys;
import io.charon.core.stop.StopOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Properties;

/** The file from which a ResourceManager reads whether best-effort is stopped. */
final class OrderFile {
  /** Time after which a ResourceManager has read the file again. */
  static final long CHECK_MILLIS = 250;

  private final Path file;
  private long modifiedMillis = 1_000_000;

  /** Creates no file yet; makes the directory writable for its owner only. */
  OrderFile(Path directory, String name) throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    file = directory.resolve(name + ".properties");
  }

  Path path() {
    return file;
  }

  /** Gives an order, which is in effect when this returns. */
  void order(StopAction action) throws IOException, InterruptedException {
    Properties properties = new Properties();
    properties.putAll(given(action).values(StopKeys.CLUSTER));
    Path fresh = file.resolveSibling("fresh");
    try (var out = Files.newOutputStream(fresh)) {
      properties.store(out, null);
    }
    Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-r--r--"));
    modifiedMillis += 1000;
    Files.setLastModifiedTime(fresh, FileTime.fromMillis(modifiedMillis));
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    Thread.sleep(CHECK_MILLIS);
  }

  /** Changes the permissions of the file's directory, such as {@code rwxr-xr-x}. */
  void writableFor(String permissions) throws IOException {
    Files.setPosixFilePermissions(file.getParent(), PosixFilePermissions.fromString(permissions));
  }

  /** Returns the order as it is read back. */
  static StopOrder given(StopAction action) {
    return new StopOrder(action, "alice", Instant.EPOCH, "a \"test\"");
  }
}
