/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The demo's input: real text, cut or repeated to a given size, in part files that end at line
 * ends.
 *
 * @param parts the part files, in order
 */
public record InputText(List<Path> parts) {
  /**
   * Maximum bytes by which a part exceeds its size: the line that runs on beyond that is cut, so
   * that text without line ends can be divided too.
   */
  private static final int MAX_OVERSHOOT_BYTES = 64 * 1024;

  /** Copies the list. */
  public InputText {
    parts = List.copyOf(parts);
  }

  /**
   * Writes the part files.
   *
   * @param sources a text file, a directory of text files, or a directory of source jars
   * @param directory directory of the parts; created if missing
   * @param bytes size of all parts together; each part may exceed its share by the rest of one
   *     line, at most 64 KiB
   * @param parts number of parts
   * @throws IOException if the source cannot be read or holds no text
   */
  public static InputText prepare(Path sources, Path directory, long bytes, int parts)
      throws IOException {
    Files.createDirectories(directory);
    byte[] text = read(sources, bytes);
    if (text.length == 0) {
      throw new IOException(
          "No text in " + sources + ": set --input to a file or directory of text");
    }
    List<Path> files = new ArrayList<>();
    long position = 0;
    for (int part = 0; part < parts; part++) {
      Path file = directory.resolve(String.format(Locale.ROOT, "part-%03d.txt", part));
      position = writePart(text, position, bytes / parts, file);
      files.add(file);
    }
    return new InputText(files);
  }

  /**
   * Writes at least {@code bytes} bytes up to a line end, repeating the text as needed, and returns
   * the position at which it stopped.
   */
  private static long writePart(byte[] text, long start, long bytes, Path file) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      long position = start;
      long written = 0;
      while (true) {
        byte next = text[(int) (position % text.length)];
        position++;
        written++;
        if (written >= bytes && (next == '\n' || written >= bytes + MAX_OVERSHOOT_BYTES)) {
          out.write('\n');
          return position;
        }
        out.write(next);
      }
    }
  }

  private static byte[] read(Path sources, long bytes) throws IOException {
    java.io.ByteArrayOutputStream text = new java.io.ByteArrayOutputStream();
    for (Path file : filesIn(sources)) {
      if (text.size() >= bytes) {
        break;
      }
      if (file.toString().endsWith(".jar")) {
        readJar(file, text, bytes);
      } else {
        try (InputStream in = Files.newInputStream(file)) {
          text.write(in.readNBytes((int) (bytes - text.size())));
        }
      }
    }
    return text.toByteArray();
  }

  private static void readJar(Path jar, java.io.ByteArrayOutputStream text, long bytes)
      throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      Enumeration<? extends ZipEntry> entries = zip.entries();
      while (entries.hasMoreElements() && text.size() < bytes) {
        ZipEntry entry = entries.nextElement();
        if (entry.getName().endsWith(".java")) {
          try (InputStream in = zip.getInputStream(entry)) {
            text.write(in.readNBytes((int) (bytes - text.size())));
          }
        }
      }
    }
  }

  private static List<Path> filesIn(Path sources) throws IOException {
    if (!Files.exists(sources)) {
      throw new IOException("No input at " + sources);
    }
    try (Stream<Path> tree = Files.walk(sources)) {
      return tree.filter(Files::isRegularFile).sorted().toList();
    }
  }
}
