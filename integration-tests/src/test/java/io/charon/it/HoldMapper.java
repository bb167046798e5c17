/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.TaskAttemptID;

/**
 * A task that waits until a file exists, so that a test can hold it as long as necessary. Its first
 * attempt can allocate far more memory than it requested and use all of it while it waits. Then it
 * copies its line to the output.
 */
public final class HoldMapper extends Mapper<LongWritable, Text, NullWritable, Text> {
  static final String RELEASE_FILE = "charon.it.release-file";
  static final String FIRST_ATTEMPT_MEBIBYTES = "charon.it.first-attempt-mebibytes";

  private static final int MEBIBYTE = 1024 * 1024;
  private static final int PAGE = 4096;
  private static final long POLL_MILLIS = 100;

  @Override
  protected void map(LongWritable offset, Text line, Context context)
      throws IOException, InterruptedException {
    TaskAttemptID attempt = context.getTaskAttemptID();
    int mebibytes =
        attempt.getId() == 0 && attempt.getTaskID().getId() == 0
            ? context.getConfiguration().getInt(FIRST_ATTEMPT_MEBIBYTES, 0)
            : 0;
    byte[][] memory = new byte[mebibytes][];
    for (int block = 0; block < mebibytes; block++) {
      memory[block] = new byte[MEBIBYTE];
      context.progress();
    }
    Path release = Path.of(context.getConfiguration().get(RELEASE_FILE));
    while (!Files.exists(release)) {
      context.progress();
      touch(memory);
      Thread.sleep(POLL_MILLIS);
    }
    context.write(NullWritable.get(), line);
  }

  /** Writes to every page, so that the node can reclaim none of them. */
  private static void touch(byte[][] memory) {
    for (byte[] block : memory) {
      for (int page = 0; page < MEBIBYTE; page += PAGE) {
        block[page]++;
      }
    }
  }
}
