/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.burst;

/**
 * Waiting times of the requests of one application; requests that arrived before a given instant
 * are ignored.
 */
final class QueueDelays {
  private final long measuredFromNanos;
  private long requests;
  private double sumNanos;
  private long highestNanos;

  QueueDelays(long fromNanos) {
    this.measuredFromNanos = fromNanos;
  }

  /**
   * Records a completed request.
   *
   * @param arrivalNanos time of its arrival
   * @param waitedNanos additional time that it took compared with running alone and without a quota
   */
  void add(long arrivalNanos, long waitedNanos) {
    if (arrivalNanos >= measuredFromNanos) {
      requests++;
      sumNanos += waitedNanos;
      highestNanos = Math.max(highestNanos, waitedNanos);
    }
  }

  long requests() {
    return requests;
  }

  double sumNanos() {
    return sumNanos;
  }

  long highestNanos() {
    return highestNanos;
  }
}
