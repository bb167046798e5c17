/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

/**
 * Something that was done beside setting a limit, for the audit.
 *
 * @param action such as kill
 * @param target what it was done to, such as a container
 * @param result what came of it
 * @param reason the measured value and the limit
 */
public record Effect(String action, String target, String result, String reason) {}
