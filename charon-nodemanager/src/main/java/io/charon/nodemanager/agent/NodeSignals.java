/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import java.util.List;
import java.util.function.Consumer;

/**
 * Signals from the node to YARN's side, sent from the node's own threads; listeners must not block.
 */
public final class NodeSignals {
  private volatile Runnable launchable = () -> {};
  private volatile Consumer<List<String>> waitedTooLong = containerIds -> {};
  private volatile Runnable decidesOtherwise = () -> {};
  private volatile Runnable ticked = () -> {};

  NodeSignals() {}

  /** Sets the listener that is called when the first container of the queue may start. */
  public void onLaunchable(Runnable listener) {
    launchable = listener;
  }

  /**
   * Sets the listener that receives the containers that have waited too long; it is called in each
   * tick while they wait.
   */
  public void onWaitedTooLong(Consumer<List<String>> listener) {
    waitedTooLong = listener;
  }

  /**
   * Sets the listener that is called when {@link CharonNode#gate} changes or forgets its
   * containers.
   */
  public void onGateChanged(Runnable listener) {
    decidesOtherwise = listener;
  }

  /** Sets the listener that is called after every tick. */
  public void onTick(Runnable listener) {
    ticked = listener;
  }

  void launchable() {
    launchable.run();
  }

  void waitedTooLong(List<String> containerIds) {
    waitedTooLong.accept(containerIds);
  }

  void gateChanged() {
    decidesOtherwise.run();
  }

  void ticked() {
    ticked.run();
  }
}
