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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A file of random bytes on a disk, for a working set of file pages; it is removed at the end.
 *
 * @param path path of the file
 */
public record WorkingSetFile(Path path) {
  /** Writes the file without leaving it in the page cache. */
  public static WorkingSetFile create(NativeTools tools, int megabytes, Cleanup cleanup)
      throws IOException, InterruptedException {
    Path path = TemporaryDirectory.createOnDisk("charon-bench-", cleanup).resolve("data");
    Programs.run(
        List.of(
            tools.workload().toString(), "create", path.toString(), Integer.toString(megabytes)));
    return new WorkingSetFile(path);
  }

  /** Drops the file from the page cache, because cached pages are charged to their first reader. */
  public void dropPageCache() throws IOException, InterruptedException {
    Programs.run(List.of("dd", "of=" + path, "oflag=nocache", "conv=notrunc,fdatasync", "count=0"));
  }

  /** Returns file system and device, as in "ext4 on /dev/sda1". */
  String disk() throws IOException {
    var store = Files.getFileStore(path);
    return store.type() + " on " + store.name();
  }
}
