/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * The recording of a node: the events and decisions of its launches, from which {@code bin/charon
 * replay} decides again with other keys, and intervals of production beside best-effort for {@code
 * bin/charon contention}. {@code Recorded} has one type for each line; {@code RecordingWriter}
 * bounds their size.
 *
 * <p>The recording knows the values of the local scheduler, but neither a launch gate nor YARN.
 */
package io.charon.nodemanager.report.recording;
