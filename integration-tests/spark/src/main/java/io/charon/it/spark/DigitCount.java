/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * A plain Spark job that knows nothing of Charon: it counts numbers by their last digit, with a
 * shuffle, and writes the counts to a file. Its tasks wait for another file first, so that a test
 * can look at the executors.
 */
public final class DigitCount {

  private static final int NUMBERS = 10_000;
  private static final int TASKS = 4;
  private static final long POLL_MILLIS = 100;

  private DigitCount() {}

  /**
   * Runs the job.
   *
   * @param arguments the file to wait for, and the file for the result
   */
  public static void main(String[] arguments) throws IOException {
    String release = arguments[0];
    List<Integer> numbers = new ArrayList<>();
    for (int number = 0; number < NUMBERS; number++) {
      numbers.add(number);
    }
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf())) {
      Map<Integer, Integer> counts =
          new TreeMap<>(
              spark
                  .parallelize(numbers, TASKS)
                  .mapToPair(
                      number -> {
                        awaitFile(release);
                        return new Tuple2<>(number % 10, 1);
                      })
                  .reduceByKey(Integer::sum, TASKS)
                  .collectAsMap());
      Files.writeString(Path.of(arguments[1]), counts.toString());
    }
  }

  private static void awaitFile(String file) throws InterruptedException {
    while (!Files.exists(Path.of(file))) {
      Thread.sleep(POLL_MILLIS);
    }
  }
}
