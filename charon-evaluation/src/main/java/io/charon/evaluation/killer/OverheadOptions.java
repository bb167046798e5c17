/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

/**
 * Options of {@code bench overhead}.
 *
 * @param repetitions number of measurements of each variant, at least 2
 */
public record OverheadOptions(int repetitions) {}
