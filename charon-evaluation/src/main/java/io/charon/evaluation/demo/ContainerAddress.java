/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

/**
 * Which container it is and where it runs.
 *
 * @param id the container
 * @param application the container's application
 * @param node name of the container's node
 */
public record ContainerAddress(String id, String application, String node) {}
