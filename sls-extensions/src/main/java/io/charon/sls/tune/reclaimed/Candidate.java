/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune.reclaimed;

import io.charon.core.forecast.UsePredictor;
import java.util.function.Supplier;

/**
 * A predictor to be judged.
 *
 * @param name name shown to users
 * @param create creates a predictor without samples, for each machine
 */
public record Candidate(String name, Supplier<UsePredictor> create) {}
