/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * The classes that YARN loads by name, and the translation between YARN's containers and Charon's.
 * Start with {@code CharonNodes}, where executor, launcher and auxiliary service find the one
 * {@code CharonNode}; {@code YarnAdmission} puts the launch gate into YARN's scheduler, and {@code
 * YarnContainers} answers and carries out what the node asks of YARN.
 *
 * <p>Nothing is decided here, and no failure may reach YARN. No other package depends on this one.
 */
package io.charon.nodemanager.yarn;
