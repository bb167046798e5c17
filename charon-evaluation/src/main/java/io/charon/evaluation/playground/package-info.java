/**
 * A cluster like the demo's that keeps running for experiments. A separate process, the {@link
 * io.charon.evaluation.playground.Supervisor}, starts and ends it; other commands find it through
 * {@link io.charon.evaluation.playground.StateFile}.
 */
package io.charon.evaluation.playground;
