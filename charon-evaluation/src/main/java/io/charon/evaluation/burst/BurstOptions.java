/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.burst;

/**
 * What {@code bench burst} is asked to do.
 *
 * @param bursts how many each variant gets in each repetition, at least 1
 * @param repetitions how often each variant is measured, at least 1
 * @param seed of the bursts, which are the same for all variants
 */
public record BurstOptions(int bursts, int repetitions, long seed) {}
