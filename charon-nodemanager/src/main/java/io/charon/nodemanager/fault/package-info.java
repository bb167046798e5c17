/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * What keeps a fault where it happened: the parts of a loop are guarded one by one, so that none
 * stops another, and each distinct fault is said once.
 */
package io.charon.nodemanager.fault;
