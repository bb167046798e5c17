/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Options of the demo on an existing cluster.
 *
 * @param window how long best-effort jobs are submitted, and about how long production runs
 * @param input a text file or a directory of text files; empty for Hadoop's source files
 * @param inputMb size of the input, MiB
 * @param tag the tag that makes a job best-effort on the cluster
 */
public record ClusterDemoOptions(Duration window, Optional<Path> input, int inputMb, String tag) {}
