/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * JMH benchmarks of the decisions of nodes and ResourceManagers and of the most frequent steps of a
 * simulation; {@code charon bench micro} runs them.
 */
package io.charon.evaluation.micro;
