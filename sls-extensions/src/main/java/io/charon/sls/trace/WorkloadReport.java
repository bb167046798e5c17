/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import java.util.List;
import java.util.Map;

/**
 * What became of a trace.
 *
 * @param header of the file
 * @param rows of the input
 * @param badRows rows that made no sense
 * @param firstBadRows the first of them: file, line, cause
 * @param leftOut what was left out on purpose, by reason
 */
public record WorkloadReport(
    WorkloadHeader header,
    long rows,
    long badRows,
    List<String> firstBadRows,
    Map<String, Long> leftOut) {}
