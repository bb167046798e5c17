/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.nio.file.Path;
import java.util.Set;

/**
 * One line of {@code /proc/self/mounts}.
 *
 * @param type file system type, such as {@code cgroup2}
 * @param point where it is mounted
 * @param options mount options; for cgroup v1 they hold the controllers
 */
record Mount(String type, Path point, Set<String> options) {}
