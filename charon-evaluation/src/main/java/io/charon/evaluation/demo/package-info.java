/**
 * The demo runs the same production and best-effort jobs on a real cluster in several modes, and
 * measures, verifies and draws the results. {@link io.charon.evaluation.demo.Demo} runs the modes
 * and {@link io.charon.evaluation.demo.DemoModeRun} a single one.
 */
package io.charon.evaluation.demo;
