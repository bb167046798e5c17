/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import java.util.List;
import java.util.function.Consumer;

/** What a node tells YARN's side, from threads of its own; whoever is told must not block. */
public final class NodeSignals {
  private volatile Runnable launchable = () -> {};
  private volatile Consumer<List<String>> waitedTooLong = containerIds -> {};
  private volatile Runnable decidesOtherwise = () -> {};
  private volatile Runnable ticked = () -> {};

  NodeSignals() {}

  /** Who is told when the first of the queue may start. */
  public void onLaunchable(Runnable listener) {
    launchable = listener;
  }

  /** Who is told which containers have waited too long; again in each tick while they wait. */
  public void onWaitedTooLong(Consumer<List<String>> listener) {
    waitedTooLong = listener;
  }

  /** Who is told when {@link CharonNode#gate} changes, or knows of no container any more. */
  public void onDecidesOtherwise(Runnable listener) {
    decidesOtherwise = listener;
  }

  /** Who is told after every tick. */
  public void onTick(Runnable listener) {
    ticked = listener;
  }

  void launchable() {
    launchable.run();
  }

  void waitedTooLong(List<String> containerIds) {
    waitedTooLong.accept(containerIds);
  }

  void decidesOtherwise() {
    decidesOtherwise.run();
  }

  void ticked() {
    ticked.run();
  }
}
