/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.demo.ProductionWork.BatchResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;

/**
 * A production task: reads its order from one line of input and writes one line for each batch,
 * with the time that the batch took. The next batch arrives a fixed time after the last one is
 * done, so a slow batch delays all later ones.
 */
public final class ProductionMapper extends Mapper<LongWritable, Text, Text, Text> {
  @Override
  protected void map(LongWritable offset, Text line, Context context)
      throws IOException, InterruptedException {
    ProductionTask task = ProductionTask.parse(line.toString());
    List<Path> parts = partsOf(task.input());
    ProductionWork work = new ProductionWork(task.heldBatches(), largest(parts));
    for (int number = 0; number < task.unmeasuredBatches(); number++) {
      byte[] text = Files.readAllBytes(parts.get(task.part(number, parts.size())));
      if (number < task.heldBatches()) {
        work.hold(text);
      } else {
        work.add(text);
      }
      context.progress();
    }
    Files.createFile(task.ready());
    for (int batch = 0; batch < task.batches(); batch++) {
      Thread.sleep(task.arrivalMillis());
      long startMillis = System.currentTimeMillis();
      long start = System.nanoTime();
      int part = task.part(task.unmeasuredBatches() + batch, parts.size());
      BatchResult result = work.add(Files.readAllBytes(parts.get(part)));
      long micros = (System.nanoTime() - start) / 1000;
      context.write(
          new Text("batch " + task.index()),
          new Text(startMillis + " " + micros + " " + ProductionOutput.text(result)));
      context.progress();
    }
  }

  static int largest(List<Path> parts) throws IOException {
    long largest = 0;
    for (Path part : parts) {
      largest = Math.max(largest, Files.size(part));
    }
    return Math.toIntExact(largest);
  }

  static List<Path> partsOf(Path input) throws IOException {
    try (Stream<Path> files = Files.list(input)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("part-"))
          .sorted()
          .toList();
    }
  }
}
