/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.demo.ProductionWork.PhaseResult;
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
 * What a production task must find, computed another way: words as strings by a regular expression,
 * different words by a set, big numbers modulo 2^64 left to the sum.
 */
final class ProductionExpectation {
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9]+");

  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<Part> parts = new ArrayList<>();

  /** A part file; {@code distinct} has a bit for the number of each of its words. */
  private record Part(long bytes, long words, BitSet distinct, long checksum) {}

  /** Reads the part files once. */
  ProductionExpectation(List<Path> files) throws IOException {
    for (Path file : files) {
      parts.add(read(file));
    }
  }

  /** The results of the phases of one task, in order. */
  List<PhaseResult> of(ProductionTask task) {
    List<PhaseResult> results = new ArrayList<>();
    BitSet distinct = new BitSet();
    long held = 0;
    long words = 0;
    long checksum = 0;
    for (int batch = 0; batch < task.batches(); batch++) {
      Part part = parts.get((task.firstPart() + batch) % parts.size());
      words += part.words;
      checksum += part.checksum;
      distinct.or(part.distinct);
      held += part.bytes + 8 * part.words;
      if (held >= task.phaseBytes() || batch == task.batches() - 1) {
        results.add(new PhaseResult(words, distinct.cardinality(), checksum));
        distinct.clear();
        held = 0;
        words = 0;
        checksum = 0;
      }
    }
    return results;
  }

  private Part read(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Matcher words = WORD.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
    BitSet distinct = new BitSet();
    long count = 0;
    long checksum = 0;
    while (words.find()) {
      String word = words.group();
      distinct.set(numbers.computeIfAbsent(word, unused -> numbers.size()));
      count++;
      checksum += fnv1a(word);
    }
    return new Part(bytes.length, count, distinct, checksum);
  }

  /** FNV-1a with 64 bits, for text whose characters are bytes. */
  static long fnv1a(String word) {
    long hash = Long.parseUnsignedLong("14695981039346656037");
    for (int i = 0; i < word.length(); i++) {
      hash = (hash ^ word.charAt(i)) * 1_099_511_628_211L;
    }
    return hash;
  }
}
