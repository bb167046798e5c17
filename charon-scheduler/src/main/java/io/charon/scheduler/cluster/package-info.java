/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The state of a cluster as the ResourceManager shows it to users and programs. This package
 * depends on neither YARN nor the web.
 */
package io.charon.scheduler.cluster;
