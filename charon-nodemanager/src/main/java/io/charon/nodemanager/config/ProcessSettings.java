/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

/**
 * What the processes of containers carry. The {@code oom_score_adj} of those who shall not die is
 * -1000 for both in table 2 of the Charon paper, which takes them out of every choice of the
 * kernel's: where one of them leaks, a machine ends all else, and then stands still.
 *
 * @param productionOomScore of production's containers, -1000 to 0
 * @param masterOomScore of ApplicationMasters, -1000 to 0
 * @param idleDisk whether the disk serves best-effort only while nobody else asks
 */
public record ProcessSettings(int productionOomScore, int masterOomScore, boolean idleDisk) {}
