/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.LineRecordReader;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;

/**
 * Reads lines of text at the speed of a shared disk or network: each task reads at most a given
 * number of bytes per second. The demo's files are in the page cache of one machine; without this
 * limit, best-effort tasks would wait only for processors, which tasks in a real cluster seldom do.
 */
public final class RateLimitedTextInputFormat extends TextInputFormat {
  private static final String BYTES_PER_SECOND = "charon.demo.read-bytes-per-second";

  /** Sets the speed of every task of a job, bytes per second. */
  static void setBytesPerSecond(Configuration job, long bytesPerSecond) {
    job.setLong(BYTES_PER_SECOND, bytesPerSecond);
  }

  @Override
  public RecordReader<LongWritable, Text> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new PacedReader();
  }

  private static final class PacedReader extends RecordReader<LongWritable, Text> {
    private static final long CHECK_EVERY_BYTES = 64 * 1024;

    private final LineRecordReader lines = new LineRecordReader();
    private long bytesPerSecond;
    private long startNanos;
    private long bytes;
    private long checkAt = CHECK_EVERY_BYTES;

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
      lines.initialize(split, context);
      bytesPerSecond = context.getConfiguration().getLong(BYTES_PER_SECOND, Long.MAX_VALUE);
      startNanos = System.nanoTime();
    }

    @Override
    public boolean nextKeyValue() throws IOException, InterruptedException {
      boolean more = lines.nextKeyValue();
      if (more) {
        bytes += lines.getCurrentValue().getLength() + 1L;
      }
      if (bytes >= checkAt || !more) {
        checkAt = bytes + CHECK_EVERY_BYTES;
        waitUntilAllowed();
      }
      return more;
    }

    private void waitUntilAllowed() throws InterruptedException {
      double allowedAfterSeconds = (double) bytes / bytesPerSecond;
      double elapsedSeconds = (System.nanoTime() - startNanos) / 1e9;
      long waitMillis = (long) ((allowedAfterSeconds - elapsedSeconds) * 1000);
      if (waitMillis > 0) {
        Thread.sleep(waitMillis);
      }
    }

    @Override
    public LongWritable getCurrentKey() {
      return lines.getCurrentKey();
    }

    @Override
    public Text getCurrentValue() {
      return lines.getCurrentValue();
    }

    @Override
    public float getProgress() throws IOException {
      return lines.getProgress();
    }

    @Override
    public void close() throws IOException {
      lines.close();
    }
  }
}
