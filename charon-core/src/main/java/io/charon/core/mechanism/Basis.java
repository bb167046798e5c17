/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import java.util.Map;

/**
 * The measured values behind an action and the values they were compared with.
 *
 * @param protects a description of the containers or processes that the action protects
 * @param inputs the measured values by name, in the unit of the limit
 * @param limit the amount that best-effort may use from now on; for other actions the threshold
 * @param rule the name of the law and its rule; a different rule is audited even if nothing changes
 * @param reason the rule, the measured value and the range or threshold, in readable text
 */
public record Basis(
    String protects, Map<String, Double> inputs, double limit, String rule, String reason) {}
