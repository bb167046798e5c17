/**
 * What this machine can and cannot do for Charon: one small {@link io.charon.doctor.Check} for each
 * facility, each with the cure for what is missing.
 */
package io.charon.doctor;
