/** Statistics of measured values, shared by the demo and the benchmarks. */
package io.charon.evaluation.statistics;
