/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

/**
 * The component that detects thrash and the component that kills, best tier first; {@code enum
 * ua_tier} of {@code ua_killer.h}.
 */
public enum KernelTier {
  /** The kernel does both, without any process. */
  KERNEL_KILL(1, "in-kernel kill"),
  /** The kernel detects, the helper kills. */
  KERNEL_DETECT(2, "in-kernel detection, kill by the helper"),
  /** The helper does both. */
  USER(3, "user-space detection and kill by the helper");

  private final int number;
  private final String description;

  KernelTier(int number, String description) {
    this.number = number;
    this.description = description;
  }

  /** Returns the number of the tier: 1, 2 or 3. */
  public int number() {
    return number;
  }

  /** Returns the description of the tier. */
  public String description() {
    return description;
  }

  /** Returns whether containers can be killed only while the helper runs. */
  public boolean needsHelper() {
    return this != KERNEL_KILL;
  }

  static KernelTier of(int number) throws KernelKillerException {
    for (KernelTier tier : values()) {
      if (tier.number == number) {
        return tier;
      }
    }
    throw new KernelKillerException("the loaded kernel killer reports unknown tier " + number);
  }
}
