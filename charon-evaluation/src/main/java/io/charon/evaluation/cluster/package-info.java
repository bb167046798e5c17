/**
 * A real YARN cluster of separate JVMs on loopback: one ResourceManager and several NodeManagers,
 * each with a memory cgroup that represents its node. Used by the demo, the benchmarks and the
 * integration tests.
 */
package io.charon.evaluation.cluster;
