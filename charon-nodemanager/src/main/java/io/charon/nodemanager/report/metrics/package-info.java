/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * The metrics of a node, each with its name, unit and help in {@code Metric}; {@code
 * docs/metrics.md} is generated from it. {@code NodeMetrics} is what other packages count with,
 * {@code PrometheusText} and JMX what is read.
 *
 * <p>Nothing is decided by a metric. This package does not know who counts: values that are
 * computed when they are read are handed in as functions.
 */
package io.charon.nodemanager.report.metrics;
