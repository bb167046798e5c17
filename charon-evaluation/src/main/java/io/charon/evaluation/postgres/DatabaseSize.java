/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.postgres;

/**
 * The size of a database and of its server's buffers.
 *
 * @param scale scale of {@code pgbench --initialize}, at least 1; each unit is 100,000 rows, about
 *     15 MB with the index
 * @param sharedBuffersMegabytes PostgreSQL's {@code shared_buffers}, MB
 */
public record DatabaseSize(int scale, int sharedBuffersMegabytes) {}
