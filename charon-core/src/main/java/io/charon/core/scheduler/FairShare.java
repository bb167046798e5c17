/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Fair share between applications or users, which the Charon paper recommends (section 5.6). The
 * account that holds the least memory on this node starts next, and a full queue takes a place from
 * the account that has the most. Containers that have waited longer than a bound come first, so
 * that none waits forever behind newer ones (aging, our choice).
 */
public final class FairShare implements QueueOrder {
  private final Function<Owner, String> account;
  private final long agingNanos;

  /**
   * Creates an order.
   *
   * @param account the accounts that share memory: {@link Owner#application()} or {@link
   *     Owner#user()}
   * @param aging containers that have waited at least this long go first, in order of arrival;
   *     positive
   */
  public FairShare(Function<Owner, String> account, Duration aging) {
    this.account = Objects.requireNonNull(account, "account");
    if (aging.isZero() || aging.isNegative()) {
      throw new IllegalArgumentException("aging must be positive, got " + aging);
    }
    this.agingNanos = aging.toNanos();
  }

  @Override
  public List<Waiting> inOrder(Collection<Waiting> waiting, Claims claims, long nowNanos) {
    List<Waiting> ordered = new ArrayList<>(waiting.size());
    Map<String, Long> heldBytes = new HashMap<>(claims.heldBytes(account));
    Map<String, Deque<Waiting>> young = new LinkedHashMap<>();
    for (Waiting each : waiting) {
      if (isOld(each, nowNanos)) {
        ordered.add(each);
        charge(heldBytes, each, claims);
      } else {
        young.computeIfAbsent(accountOf(each), key -> new ArrayDeque<>()).add(each);
      }
    }
    // Each container is charged as if it had started, so that this is the order in which they would
    // start.
    while (!young.isEmpty()) {
      Waiting next = pollLeastServed(young, heldBytes);
      ordered.add(next);
      charge(heldBytes, next, claims);
    }
    return ordered;
  }

  @Override
  public Optional<Waiting> first(Collection<Waiting> waiting, Claims claims, long nowNanos) {
    Map<String, Long> heldBytes = claims.heldBytes(account);
    Waiting poorest = null;
    for (Waiting each : waiting) {
      if (isOld(each, nowNanos)) {
        return Optional.of(each);
      }
      // Of an account's containers the first is chosen, because the others came later.
      if (poorest == null || isLessServed(each, poorest, heldBytes)) {
        poorest = each;
      }
    }
    return Optional.ofNullable(poorest);
  }

  private boolean isOld(Waiting waiting, long nowNanos) {
    return nowNanos - waiting.sinceNanos() >= agingNanos;
  }

  /**
   * Returns the newest container of the account with the most places, provided that this account
   * still has at least as many places as the new container's account after the exchange.
   */
  @Override
  public Optional<LaunchRequest> displacedBy(
      LaunchRequest newContainer, Collection<Waiting> waiting) {
    Map<String, Deque<Waiting>> places = new LinkedHashMap<>();
    waiting.forEach(
        each -> places.computeIfAbsent(accountOf(each), key -> new ArrayDeque<>()).add(each));
    int ofNewcomer =
        places.getOrDefault(account.apply(newContainer.owner()), new ArrayDeque<>()).size();
    return places.values().stream()
        .reduce((one, other) -> other.size() > one.size() ? other : one)
        .filter(most -> most.size() - 1 > ofNewcomer)
        .map(most -> most.getLast().request());
  }

  /** An account with a single place keeps it. */
  @Override
  public boolean canDisplace(Collection<Waiting> waiting) {
    Set<String> accounts = new HashSet<>();
    return waiting.stream().anyMatch(each -> !accounts.add(accountOf(each)));
  }

  private Waiting pollLeastServed(Map<String, Deque<Waiting>> young, Map<String, Long> heldBytes) {
    Waiting next =
        young.values().stream()
            .map(Deque::getFirst)
            .reduce((poorest, each) -> isLessServed(each, poorest, heldBytes) ? each : poorest)
            .orElseThrow();
    Deque<Waiting> line = young.get(accountOf(next));
    line.removeFirst();
    if (line.isEmpty()) {
      young.remove(accountOf(next));
    }
    return next;
  }

  /** Returns whether a container's account holds less or, if it is equal, it arrived earlier. */
  private boolean isLessServed(Waiting one, Waiting other, Map<String, Long> heldBytes) {
    int order =
        Long.compare(
            heldBytes.getOrDefault(accountOf(one), 0L),
            heldBytes.getOrDefault(accountOf(other), 0L));
    // Times of a monotonic clock have to be compared by their difference.
    return order < 0 || (order == 0 && one.sinceNanos() - other.sinceNanos() < 0);
  }

  private void charge(Map<String, Long> heldBytes, Waiting started, Claims claims) {
    heldBytes.merge(accountOf(started), claims.expectedBytes(started.request()), Long::sum);
  }

  private String accountOf(Waiting waiting) {
    return account.apply(waiting.request().owner());
  }
}
