/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * PostgreSQL as production of a benchmark: a database of its own, its server, and pgbench as its
 * clients.
 */
package io.charon.evaluation.postgres;
