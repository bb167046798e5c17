/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.configure;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;

/**
 * Allows one writer of a file at a time: two concurrent commands would overwrite each other's
 * changes. The lock is a file next to it, which is never deleted. The kernel releases the lock when
 * its holder exits.
 */
final class EditLock implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final long POLL_MILLIS = 20;

  private final FileChannel channel;

  private EditLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Waits for the lock.
   *
   * @param file the file to be changed
   * @throws IOException if another process holds the lock for too long, or it cannot be created
   */
  static EditLock of(Path file) throws IOException {
    Path lock = file.resolveSibling(file.getFileName() + ".lock");
    FileChannel channel =
        FileChannel.open(
            lock,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    long end = System.nanoTime() + TIMEOUT.toNanos();
    try {
      while (!tryAcquire(channel)) {
        if (System.nanoTime() > end) {
          throw new IOException(
              "another command has held %s for %d s: end that command, or try again"
                  .formatted(lock, TIMEOUT.toSeconds()));
        }
        Thread.sleep(POLL_MILLIS);
      }
      return new EditLock(channel);
    } catch (InterruptedException e) {
      channel.close();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for " + lock, e);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static boolean tryAcquire(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException heldInThisProcess) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
