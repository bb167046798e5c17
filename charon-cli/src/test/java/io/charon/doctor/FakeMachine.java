/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory with substitutes for /proc and /sys. */
final class FakeMachine {
  private final Path root;
  private final StringBuilder mounts = new StringBuilder();

  FakeMachine(Path root) {
    this.root = root;
  }

  KernelFiles kernel() {
    return new KernelFiles(root.resolve("proc"), root.resolve("sys"));
  }

  FakeMachine file(String path, String content) {
    try {
      Path file = root.resolve(path);
      Files.createDirectories(file.getParent());
      Files.writeString(file, content);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  FakeMachine program(String path) {
    return program(path, "");
  }

  FakeMachine program(String path, String script) {
    file(path, "#!/bin/sh\n" + script + "\n");
    if (!root.resolve(path).toFile().setExecutable(true)) {
      throw new IllegalStateException("cannot make " + path + " executable");
    }
    return this;
  }

  FakeMachine mount(String type, String point, String options) {
    mounts.append("none %s %s %s 0 0%n".formatted(path(point), type, options));
    try {
      Files.createDirectories(path(point));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file("proc/self/mounts", mounts.toString());
  }

  FakeMachine capabilities(int... numbers) {
    long mask = 0;
    for (int number : numbers) {
      mask |= 1L << number;
    }
    return file("proc/self/status", "Name:\tjava\nCapEff:\t%016x\nSeccomp:\t0\n".formatted(mask));
  }

  FakeMachine availableMebibytes(long mebibytes) {
    return file(
        "proc/meminfo",
        "MemTotal: 99999999 kB\nMemAvailable: %d kB\nSwapTotal: 2048 kB\n"
            .formatted(mebibytes * 1024));
  }

  Path path(String relative) {
    return root.resolve(relative);
  }
}
