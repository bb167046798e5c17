/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * The operator's settings of a node: {@code SettingsReader} reads all keys in one pass into {@code
 * CharonSettings}, and names every problem with its cure. Defaults are those of {@code
 * conf/charon-site.xml}. {@code SettingsSource} reads again the keys that may change while the node
 * runs.
 *
 * <p>A settings record only holds values; what they mean is decided by their users. Hadoop's {@code
 * Configuration} is known here and in the package {@code yarn} only.
 */
package io.charon.nodemanager.config;
