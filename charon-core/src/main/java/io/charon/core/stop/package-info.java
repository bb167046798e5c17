/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * Stopping best-effort by an operator: the content of an order, and which of several orders
 * applies. Any order other than a resume prevents launches; orders differ in what they do to
 * running containers.
 */
package io.charon.core.stop;
