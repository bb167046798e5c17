/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * Starts {@code ua-killer} for operations for which the NodeManager has no privilege. {@code
 * Helper} knows how to run the program, how long to wait, and how an operator gives it what it
 * lacks; the words that it is called with, and what its answers mean, are known to its callers.
 */
package io.charon.nodemanager.helper;
