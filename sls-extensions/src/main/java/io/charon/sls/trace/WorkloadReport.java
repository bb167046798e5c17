/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import java.util.List;
import java.util.Map;

/**
 * The result of an import.
 *
 * @param header header of the written file
 * @param rows number of input rows
 * @param badRows number of rows that could not be used
 * @param firstBadRows the first of these: file, line, cause
 * @param leftOut number of items that were left out on purpose, by reason
 */
public record WorkloadReport(
    WorkloadHeader header,
    long rows,
    long badRows,
    List<String> firstBadRows,
    Map<String, Long> leftOut) {}
