/** What the reports of the demo and of the benchmarks share: files, numbers and charts. */
package io.charon.evaluation.report;
