/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import java.nio.file.Path;

/**
 * Location and size of the audit log.
 *
 * @param directory absolute path
 * @param mostBytes total size limit of all files, bytes
 */
public record AuditSettings(Path directory, long mostBytes) {}
