/**
 * The demo's cluster, which stays to play with: a process of its own, the {@link
 * io.charon.evaluation.playground.Supervisor}, starts and ends it; the other commands find it by
 * {@link io.charon.evaluation.playground.StateFile}.
 */
package io.charon.evaluation.playground;
