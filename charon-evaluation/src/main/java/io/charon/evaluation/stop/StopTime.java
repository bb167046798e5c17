/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.stop;

/**
 * The effect of one order.
 *
 * @param scope what it stopped
 * @param confirmedSeconds time from the order until the daemon confirmed it, seconds
 * @param lastLaunchSeconds time from the order to the last launch on the node, seconds; 0 if there
 *     was none
 */
public record StopTime(StopScope scope, double confirmedSeconds, double lastLaunchSeconds) {}
