/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.NativeTools;
import io.charon.evaluation.machine.Programs;
import io.charon.evaluation.machine.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Files on a disk for containers to read and write; they are removed at the end.
 *
 * @param directory directory of the files
 */
record ScratchFiles(Path directory) {
  private static final int STREAM_MEGABYTES = 600;
  private static final int REREAD_MEGABYTES = 300;
  private static final int RANDOM_MEGABYTES = 400;

  /** Writes the files without leaving them in the page cache. */
  static ScratchFiles create(NativeTools tools, Cleanup cleanup)
      throws IOException, InterruptedException {
    ScratchFiles files =
        new ScratchFiles(TemporaryDirectory.createOnDisk("charon-bench-", cleanup));
    files.write(tools, files.stream(), STREAM_MEGABYTES);
    files.write(tools, files.reread(), REREAD_MEGABYTES);
    files.write(tools, files.random(), RANDOM_MEGABYTES);
    return files;
  }

  Path stream() {
    return directory.resolve("stream");
  }

  Path reread() {
    return directory.resolve("reread");
  }

  Path random() {
    return directory.resolve("random");
  }

  Path spill() {
    return directory.resolve("spill");
  }

  /** Drops the files from the page cache. */
  void dropPageCache() throws IOException, InterruptedException {
    for (Path file : List.of(stream(), reread(), random())) {
      new WorkingSetFile(file).dropPageCache();
    }
  }

  private void write(NativeTools tools, Path file, int megabytes)
      throws IOException, InterruptedException {
    Programs.run(
        List.of(
            tools.workload().toString(), "create", file.toString(), Integer.toString(megabytes)));
  }
}
