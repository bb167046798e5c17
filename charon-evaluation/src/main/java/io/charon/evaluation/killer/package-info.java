/**
 * Benchmarks of the kernel UA killer. {@link io.charon.evaluation.killer.KillerBench} measures the
 * duration of kills, {@link io.charon.evaluation.killer.OverheadBench} the cost of a page fault,
 * and {@link io.charon.evaluation.killer.FalseKillsBench} finds victims that should have survived.
 * {@link io.charon.evaluation.killer.ThrashModelBench} measures for the simulator how work slows
 * when its memory does not fit. Memory pressure exists only inside a {@link
 * io.charon.evaluation.killer.PressureCell}.
 */
package io.charon.evaluation.killer;
