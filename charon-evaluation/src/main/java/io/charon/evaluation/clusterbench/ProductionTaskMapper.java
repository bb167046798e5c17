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
 * A production task: holds memory and reads it again and again, or runs a service as its child.
 * Between two batches it sleeps, always equally long after the last one is done: a slower batch is
 * never caught up with. It writes how long each step took, milliseconds.
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
