/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

/**
 * Best-effort's use above its limit, and what covers it.
 *
 * @param dueBytes D of the law, without the memory of dying containers
 * @param cleanCacheBytes best-effort's clean page cache
 * @param toleratedBytes no container is killed for less than this; the reserve covers it ({@link
 *     LimitBasis#slackBytes})
 */
public record Shortage(long dueBytes, long cleanCacheBytes, long toleratedBytes) {}
