/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

/**
 * Something the demo promises.
 *
 * @param name short name
 * @param ok whether it held
 * @param detail the measured values and what they were compared with
 */
public record Check(String name, boolean ok, String detail) {}
