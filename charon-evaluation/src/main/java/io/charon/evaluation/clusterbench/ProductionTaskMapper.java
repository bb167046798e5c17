/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import java.io.IOException;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;

/**
 * A production task: holds memory and reads it repeatedly, or runs a service as its child process.
 * It sleeps for a fixed time between the end of a batch and the next one, so a slow batch delays
 * all later ones. A task that holds memory writes the durations of its steps and of the whole task,
 * milliseconds.
 */
public final class ProductionTaskMapper extends Mapper<LongWritable, Text, Text, Text> {
  static final String STEP = "step";
  static final String TASK = "task";

  @Override
  protected void map(LongWritable offset, Text line, Context context)
      throws IOException, InterruptedException {
    String order = line.toString();
    if (order.startsWith(MemoryTask.WORD)) {
      hold(MemoryTask.parse(order), context);
    } else {
      ServiceTask.parse(order).run(context::progress);
    }
  }

  private static void hold(MemoryTask task, Context context)
      throws IOException, InterruptedException {
    PagedMemory memory = new PagedMemory(task.index());
    long start = System.nanoTime();
    for (MemoryTask.Step step : task.steps()) {
      long stepStart = System.nanoTime();
      for (int batch = 0; batch < step.batches(); batch++) {
        Thread.sleep(task.pauseMillis());
        memory.resizeTowards(step.chunks());
        memory.touch(task.touches());
        context.progress();
      }
      write(context, STEP, stepStart);
    }
    write(context, TASK, start);
  }

  private static void write(Context context, String what, long startNanos)
      throws IOException, InterruptedException {
    long millis = (System.nanoTime() - startNanos) / 1_000_000;
    context.write(new Text(what), new Text(Long.toString(millis)));
  }
}
