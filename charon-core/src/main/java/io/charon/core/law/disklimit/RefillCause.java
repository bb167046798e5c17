/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.disklimit;

/** Why best-effort's reads are limited, or not. */
public enum RefillCause {
  /** Entitlements, disks or both could not be read. */
  UNSEEN("entitlements or disks could not be read: reads are not limited"),
  /** No holder has an entitlement of a known size. */
  NO_RIGHT("no holder has an entitlement to page cache of a known size: reads are not limited"),
  /** No holder lacks page cache, or those that do are not reading. */
  NONE_REFILLS("production refills no page cache: reads are not limited"),
  /** Production refills, and no disk is busy. */
  DISK_IDLE("production refills its page cache and no disk is busy: reads are not limited"),
  /** Production refills: the only cause for a limit. */
  REFILLS(
      "production refills its page cache: best-effort is limited to a share of the disk's speed"),
  /** Production had the time that the refill should take. */
  TIME_IS_UP(
      "production refills its page cache but the time for that has expired: reads are not limited"),
  /** Reads were limited for most of the last minutes. */
  ENOUGH("reads were limited for most of the last minutes: they are not limited for a while");

  private final String text;

  RefillCause(String text) {
    this.text = text;
  }

  /** Returns the cause in readable text. */
  public String text() {
    return text;
  }

  /** Returns whether best-effort's reads are limited. */
  public boolean limits() {
    return this == REFILLS;
  }
}
