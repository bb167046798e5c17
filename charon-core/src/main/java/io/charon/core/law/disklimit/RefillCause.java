/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.disklimit;

/** Why best-effort's reads are limited, or not. */
public enum RefillCause {
  /** Rights, disks or both could not be read. */
  UNSEEN("who holds what could not be read: reads are free"),
  /** Nobody has a right of a known size. */
  NO_RIGHT("nobody has a right to page cache of a known size: reads are free"),
  /** Nobody misses anything, or who does reads nothing. */
  NONE_REFILLS("production refills no page cache: reads are free"),
  /** Production refills, and waits for no disk. */
  DISK_IDLE("production refills its page cache and no disk is busy: reads are free"),
  /** The only cause to limit. */
  REFILLS("production refills its page cache: best-effort reads with a share of the disk's speed"),
  /** It had the time that it should take. */
  TIME_IS_UP("production refills its page cache and had its time for it: reads are free"),
  /** Limited for most of the last minutes. */
  ENOUGH("reads were limited for long enough lately: they are free for a while");

  private final String text;

  RefillCause(String text) {
    this.text = text;
  }

  /** The cause as people read it. */
  public String text() {
    return text;
  }

  /** Whether best-effort's reads are limited. */
  public boolean limits() {
    return this == REFILLS;
  }
}
