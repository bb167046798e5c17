/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.time.Duration;

/**
 * What {@code bench false-kills} is asked to do.
 *
 * @param rounds how many, at least 1
 * @param seed of the first round; the next round has the next number
 * @param tolerance cgth_time, at least 200 ms
 */
public record FalseKillsOptions(int rounds, long seed, Duration tolerance) {}
