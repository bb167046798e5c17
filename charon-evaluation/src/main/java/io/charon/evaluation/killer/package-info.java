/**
 * The benchmarks of the kernel UA killer: {@link io.charon.evaluation.killer.KillerBench} times
 * kills, {@link io.charon.evaluation.killer.OverheadBench} what a page fault costs, {@link
 * io.charon.evaluation.killer.FalseKillsBench} looks for victims that should have lived. {@link
 * io.charon.evaluation.killer.ThrashModelBench} measures for the simulator how work slows when its
 * memory does not fit. Memory pressure exists only inside a {@link
 * io.charon.evaluation.killer.PressureCell}.
 */
package io.charon.evaluation.killer;
