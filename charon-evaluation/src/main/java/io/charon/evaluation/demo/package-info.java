/**
 * The demo: the same production and best-effort jobs on a real cluster in several modes, measured,
 * checked and drawn. {@link io.charon.evaluation.demo.Demo} runs the modes, {@link
 * io.charon.evaluation.demo.ModeRun} one of them.
 */
package io.charon.evaluation.demo;
