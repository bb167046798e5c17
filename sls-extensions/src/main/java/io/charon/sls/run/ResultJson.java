/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.sls.engine.EventChecksum;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** The result as JSON; fields may be added, none of these goes. */
public final class ResultJson {
  private final ObjectMapper mapper = new ObjectMapper();

  /**
   * Writes the file, whole or not at all.
   *
   * @param file the file
   * @param runs the runs
   * @param wallSeconds how long all of them took
   */
  public void write(Path file, List<ComparedRun> runs, double wallSeconds) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    Files.createDirectories(directory);
    Path written = Files.createTempFile(directory, ".sls", ".json");
    mapper.writerWithDefaultPrettyPrinter().writeValue(written.toFile(), of(runs, wallSeconds));
    Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
  }

  ObjectNode of(List<ComparedRun> runs, double wallSeconds) {
    ObjectNode root = mapper.createObjectNode();
    ArrayNode array = root.putArray("runs");
    EventChecksum all = new EventChecksum();
    double horizon = 0;
    boolean partial = false;
    for (ComparedRun compared : runs) {
      RunResult run = compared.run();
      array.add(run(compared));
      all.add(run.eventChecksum());
      horizon = Math.max(horizon, run.horizonSeconds());
      partial |= run.partial();
    }
    double virtual = ComparedRun.virtualSeconds(runs);
    put(root, "horizonSeconds", horizon);
    put(root, "virtualSeconds", virtual);
    put(root, "wallSeconds", wallSeconds);
    put(root, "virtualPerWallSecond", virtual / wallSeconds);
    root.put("eventChecksum", EventChecksum.hex(all.value()));
    root.put("partial", partial);
    return root;
  }

  private ObjectNode run(ComparedRun compared) {
    RunResult run = compared.run();
    ObjectNode node = mapper.createObjectNode();
    node.put("policy", run.policy().key());
    node.put("load", run.load());
    node.put("seed", run.seed());
    ObjectNode bestEffort = side(run.bestEffort());
    for (int percent : new int[] {50, 90, 99}) {
      put(bestEffort, "p" + percent + "Seconds", run.bestEffort().percentileSeconds(percent));
    }
    node.set("bestEffort", bestEffort);
    ObjectNode production = side(run.production());
    for (int percent : new int[] {50, 90}) {
      put(production, "p" + percent + "SlowdownVsAlone", compared.productionSlowdown(percent));
    }
    node.set("production", production);
    ObjectNode kills = node.putObject("killsByCause");
    run.killsByCause().forEach(kills::put);
    node.put("rejections", run.rejections());
    put(node, "lostWorkSeconds", run.lostWorkSeconds());
    put(node, "memoryUtilization", run.memoryUtilization());
    put(node, "usedOverRequested", run.usedOverRequested());
    put(node, "productionUsedOverAllocated", run.productionUsedOverAllocated());
    put(node, "virtualSeconds", run.virtualSeconds());
    node.put("events", run.events());
    node.put("eventChecksum", EventChecksum.hex(run.eventChecksum()));
    return node;
  }

  private ObjectNode side(SideResult side) {
    ObjectNode node = mapper.createObjectNode();
    node.put("submitted", side.submitted());
    node.put("completed", side.completed());
    node.put("failed", side.failed());
    node.put("unfinished", side.unfinished());
    put(node, "completionRate", side.completionRate());
    return node;
  }

  /** JSON knows no infinity and nothing that is not a number. */
  private static void put(ObjectNode node, String name, double value) {
    if (Double.isFinite(value)) {
      node.put(name, value);
    } else {
      node.putNull(name);
    }
  }
}
