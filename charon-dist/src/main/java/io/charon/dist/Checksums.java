/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 checksums in the format of sha256sum. */
public final class Checksums {
  private Checksums() {}

  /** Returns the checksum of the bytes. */
  public static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * Writes {@code FILE.sha256} next to a file, for {@code sha256sum --check}.
   *
   * @return the checksum
   * @throws IOException if the file cannot be read or its checksum cannot be written
   */
  public static String writeBeside(Path file) throws IOException {
    String checksum = sha256(Files.readAllBytes(file));
    Files.writeString(
        file.resolveSibling(file.getFileName() + ".sha256"),
        checksum + "  " + file.getFileName() + "\n");
    return checksum;
  }
}
