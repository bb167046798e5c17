/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * Measures how long a container takes to start with YARN's executors and with those of Charon that
 * extend them. The executors are called as a NodeManager calls them.
 */
package io.charon.evaluation.launch;
