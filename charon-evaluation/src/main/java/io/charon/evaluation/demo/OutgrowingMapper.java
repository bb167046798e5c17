/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.io.IOException;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;

/**
 * A task whose first attempt uses more memory than its node has and touches all of it repeatedly,
 * like a job whose input grew overnight. Later attempts use little memory.
 */
public final class OutgrowingMapper extends Mapper<LongWritable, Text, NullWritable, NullWritable> {
  static final String MEBIBYTES = "charon.demo.outgrowing-mebibytes";

  private static final int MEBIBYTE = 1 << 20;
  private static final int PAGE = 4096;

  /** Time after which the attempt fails: a node that has not killed it by then never will. */
  private static final long TIMEOUT_NANOS = 90_000_000_000L;

  /**
   * Duration of a later attempt: long enough to ask the ApplicationMaster about the first attempt.
   */
  private static final long MODEST_WORK_MILLIS = 3000;

  @Override
  protected void map(LongWritable offset, Text line, Context context)
      throws IOException, InterruptedException {
    if (context.getTaskAttemptID().getId() > 0) {
      Thread.sleep(MODEST_WORK_MILLIS);
      return;
    }
    byte[][] memory = new byte[context.getConfiguration().getInt(MEBIBYTES, 0)][];
    long end = System.nanoTime() + TIMEOUT_NANOS;
    while (System.nanoTime() < end) {
      for (int block = 0; block < memory.length; block++) {
        if (memory[block] == null) {
          memory[block] = new byte[MEBIBYTE];
        }
        for (int page = 0; page < MEBIBYTE; page += PAGE) {
          memory[block][page]++;
        }
        context.progress();
      }
    }
    throw new IOException("the task was not killed although it holds " + memory.length + " MiB");
  }
}
