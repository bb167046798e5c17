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
 * What the demo does on a cluster that exists.
 *
 * @param window how long best-effort jobs are submitted, and about how long production runs
 * @param input a text file, or a directory of them; empty for Hadoop's source files
 * @param inputMb size of the input, MiB
 * @param tag that makes a job best-effort there
 */
public record ClusterDemoOptions(Duration window, Optional<Path> input, int inputMb, String tag) {}
