/**
 * The benchmarks of the kernel UA killer: {@link io.charon.bench.KillerBench} times kills, {@link
 * io.charon.bench.OverheadBench} what a page fault costs, {@link io.charon.bench.FalseKillsBench}
 * looks for victims that should have lived. {@link io.charon.bench.ThrashModelBench} measures for
 * the simulator how work slows when its memory does not fit. Memory pressure exists only inside a
 * {@link io.charon.bench.PressureCell}.
 */
package io.charon.bench;
