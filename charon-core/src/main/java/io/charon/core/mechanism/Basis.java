/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import java.util.Map;

/**
 * What an action was decided by: the measured values and what they were held against.
 *
 * @param protects whom it is for, in words
 * @param inputs what was measured, by name, in the unit of the limit
 * @param limit what best-effort may use from now on; of other actions the threshold
 * @param rule names the law and its rule; another rule is news even where nothing changes
 * @param reason the same for people: the rule, the measured value, the range or threshold
 */
public record Basis(
    String protects, Map<String, Double> inputs, double limit, String rule, String reason) {}
