/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.demo.ProductionWork.BatchResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Computes the results of production tasks independently of them: words as strings found by a
 * regular expression, distinct words by a set of numbers, and sums modulo 2^64 by overflow.
 */
final class ProductionExpectation {
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9]+");

  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<Part> parts = new ArrayList<>();

  private record Part(int words, int distinct, long checksum) {}

  /** Reads the part files once. */
  ProductionExpectation(List<Path> files) throws IOException {
    for (Path file : files) {
      parts.add(read(file));
    }
  }

  /** Returns the expected results of the measured batches of one task, in order. */
  List<BatchResult> of(ProductionTask task) {
    List<BatchResult> results = new ArrayList<>();
    for (int batch = 0; batch < task.batches(); batch++) {
      Part part = part(task, task.unmeasuredBatches() + batch);
      Part leaving = part(task, task.unmeasuredBatches() + batch - task.heldBatches());
      results.add(new BatchResult(part.words, part.distinct, part.checksum, leaving.checksum));
    }
    return results;
  }

  private Part part(ProductionTask task, int number) {
    return parts.get(task.part(number, parts.size()));
  }

  private Part read(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Matcher words = WORD.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
    BitSet distinct = new BitSet();
    int count = 0;
    long checksum = 0;
    while (words.find()) {
      String word = words.group();
      distinct.set(numbers.computeIfAbsent(word, unused -> numbers.size()));
      count++;
      checksum += fnv1a(word);
    }
    return new Part(count, distinct.cardinality(), checksum);
  }

  /** Returns the 64-bit FNV-1a hash of text whose characters are bytes. */
  static long fnv1a(String word) {
    long hash = Long.parseUnsignedLong("14695981039346656037");
    for (int i = 0; i < word.length(); i++) {
      hash = (hash ^ word.charAt(i)) * 1_099_511_628_211L;
    }
    return hash;
  }
}
