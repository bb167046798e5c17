/**
 * The demo: the same production and best-effort jobs on a real cluster in several modes, measured,
 * checked and drawn. {@link io.charon.demo.Demo} runs the modes, {@link io.charon.demo.ModeRun} one
 * of them.
 */
package io.charon.demo;
