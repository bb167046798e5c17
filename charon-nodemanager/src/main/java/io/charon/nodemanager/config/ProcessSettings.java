/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

/**
 * Attributes of the processes of containers. In table 2 of the Charon paper both scores are -1000,
 * which exempts these processes from the kernel's OOM killer: if one of them leaks memory, the
 * machine kills everything else and then stalls.
 *
 * @param productionOomScore {@code oom_score_adj} of production containers, -1000 to 0
 * @param masterOomScore {@code oom_score_adj} of ApplicationMasters, -1000 to 0
 * @param idleDisk whether best-effort uses the disk only while no other process waits for it
 */
public record ProcessSettings(int productionOomScore, int masterOomScore, boolean idleDisk) {}
