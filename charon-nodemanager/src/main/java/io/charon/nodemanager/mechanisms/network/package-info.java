/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * The limit of best-effort's outgoing traffic: {@code EgressLimit} puts law, availability and
 * actuator together, and {@code TrafficShaper} has {@code ua-killer network} set the limit, which
 * needs a privilege. The traffic is read in the package {@code sensor}; the device is that of the
 * package {@code network}.
 */
package io.charon.nodemanager.mechanisms.network;
