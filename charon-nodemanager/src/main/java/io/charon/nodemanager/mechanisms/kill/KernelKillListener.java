/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

/** Hears of the kernel's kills on this node; called under the guard's lock, must not block. */
public interface KernelKillListener {
  /**
   * A container is dying. Called once for each.
   *
   * @param containerId the victim
   * @param kill what explains it
   */
  void killed(String containerId, KernelKill kill);

  /**
   * A victim's memory is back. Called once, and only where a helper looked after it.
   *
   * @param containerId the victim
   * @param kill now with its release
   */
  void released(String containerId, KernelKill kill);
}
