/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * The audit log: one line for each thing that is done, or would be done in mode observe, with its
 * measurements and its result. Start with {@code Audit}, the only entry; {@code AuditRecord}
 * describes a line.
 *
 * <p>Writing never blocks the caller, and nothing here decides what is worth a line.
 */
package io.charon.nodemanager.report.audit;
