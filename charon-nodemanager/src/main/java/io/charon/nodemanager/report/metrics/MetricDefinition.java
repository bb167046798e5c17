/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

/**
 * What is to be said of a metric.
 *
 * @param template its name, with the key of its label in braces
 * @param type the type
 * @param unit the base unit
 * @param label the label
 * @param buckets the buckets of a histogram
 * @param meaning a description on a single line
 * @param use the use of the metric for an operator
 */
record MetricDefinition(
    String template,
    Metric.Type type,
    String unit,
    Label label,
    Buckets buckets,
    String meaning,
    String use) {}
