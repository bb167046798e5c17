/**
 * Reports what this machine can and cannot do for Charon: one small {@link io.charon.doctor.Check}
 * per facility, each with the cure for what is missing.
 */
package io.charon.doctor;
