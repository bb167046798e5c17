/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;

/**
 * A production task: gets its order as one line of input and writes one line for each phase.
 * Between two batches it waits for the next one to arrive, always equally long after the last one
 * is done: a slower batch is never caught up with, so every second that a task loses is a second
 * that the job takes longer.
 */
public final class ProductionMapper extends Mapper<LongWritable, Text, Text, Text> {
  @Override
  protected void map(LongWritable offset, Text line, Context context)
      throws IOException, InterruptedException {
    ProductionTask task = ProductionTask.parse(line.toString());
    List<Path> parts = partsOf(task.input());
    ProductionWork work = new ProductionWork(task.phaseBytes());
    long busyNanos = 0;
    for (int batch = 0; batch < task.batches(); batch++) {
      Thread.sleep(task.arrivalMillis());
      long start = System.nanoTime();
      Path part = parts.get((task.firstPart() + batch) % parts.size());
      write(context, task, work.add(Files.readAllBytes(part)));
      busyNanos += System.nanoTime() - start;
      context.progress();
    }
    write(context, task, work.finishPhase());
    context.write(new Text("busy " + task.index()), new Text(Long.toString(busyNanos / 1_000_000)));
  }

  private static void write(
      Context context, ProductionTask task, Optional<ProductionWork.PhaseResult> result)
      throws IOException, InterruptedException {
    if (result.isEmpty()) {
      return;
    }
    ProductionWork.PhaseResult phase = result.get();
    context.write(
        new Text("phase " + task.index()),
        new Text(phase.words() + " " + phase.distinct() + " " + phase.checksum()));
    // The phase's memory goes back to the node, not only to the heap.
    System.gc();
  }

  static List<Path> partsOf(Path input) throws IOException {
    try (Stream<Path> files = Files.list(input)) {
      return files.sorted().toList();
    }
  }
}
