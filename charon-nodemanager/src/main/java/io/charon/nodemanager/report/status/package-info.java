/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * The state of a node as programs and people read it: status pages, {@code bin/charon status} and
 * JMX. {@code StatusDocument} is the format, whose names are promised to programs; {@code
 * StatusReporter} assembles it from a {@code StatusSource} on each request.
 *
 * <p>This package reads what others have decided and changes nothing. YARN's classes do not appear
 * in it.
 */
package io.charon.nodemanager.report.status;
