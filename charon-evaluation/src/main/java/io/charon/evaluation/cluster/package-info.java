/**
 * A real YARN cluster of separate JVMs on loopback: one ResourceManager and several NodeManagers of
 * the stock main classes, each NodeManager with a memory cgroup that plays its node. Used by the
 * demo and by the integration tests.
 */
package io.charon.evaluation.cluster;
