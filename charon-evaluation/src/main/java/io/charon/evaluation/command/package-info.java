/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * The commands that need the sources: {@code charon demo}, {@code bench}, {@code cluster} and
 * {@code sls validate}. {@link io.charon.evaluation.command.EvaluationCommands} adds them to {@code
 * charon}.
 *
 * <p>A command reads and checks its options, and leaves the measurement to the package of its name.
 * No other package depends on this one.
 */
package io.charon.evaluation.command;
