/** Statistics of measured values that the demo and the benchmarks share. */
package io.charon.evaluation.statistics;
