/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the size of a memory page, in which the kernel counts some events: 4 KiB to 64 KiB. */
final class PageSize {
  /** Type of the page size in the auxiliary vector (AT_PAGESZ, getauxval(3)). */
  private static final long PAGE_SIZE = 6;

  private PageSize() {}

  /**
   * Returns the kernel's page size, bytes.
   *
   * @param procRoot the mount point of proc
   * @throws IOException naming the file that cannot be read or has no page size
   */
  static long bytes(Path procRoot) throws IOException {
    Path file = procRoot.resolve("self/auxv");
    ByteBuffer vector = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
    while (vector.remaining() >= 2 * Long.BYTES) {
      long type = vector.getLong();
      long value = vector.getLong();
      if (type == PAGE_SIZE && value > 0) {
        return value;
      }
    }
    throw new IOException(file + " has no page size");
  }
}
