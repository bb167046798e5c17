/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/**
 * What Hadoop's program {@code container-executor} demands of its own file, of its configuration
 * and of the users of containers before it runs any.
 *
 * @param rights reads the rights of a file; empty where it may not
 * @param userIds finds the id of a user; empty if there is no such user
 */
record ContainerExecutorSetup(
    Function<Path, Optional<FileRights>> rights, Function<String, OptionalLong> userIds) {
  private static final String PREFIX = "yarn.nodemanager.linux-container-executor.";
  private static final String GROUP = PREFIX + "group";
  private static final String PROGRAM = PREFIX + "path";
  private static final String LIMIT_USERS = PREFIX + "nonsecure-mode.limit-users";
  private static final String LOCAL_USER = PREFIX + "nonsecure-mode.local-user";
  private static final String BANNED = "banned.users";
  private static final String ALLOWED = "allowed.system.users";
  private static final String MINIMUM = "min.user.id";

  /** What the program does where a key is missing. */
  private static final Map<String, String> DEFAULTS =
      Map.of(MINIMUM, "1000", BANNED, "yarn,mapred,hdfs,bin", ALLOWED, "");

  /**
   * Something that the program refuses.
   *
   * @param status {@code MISSING} if it runs no container at all
   */
  record Finding(CheckStatus status, String problem, String cure) {}

  /** Uses the files and users of this machine. */
  static ContainerExecutorSetup ofThisMachine() {
    return new ContainerExecutorSetup(FileRights::of, UserId::of);
  }

  /** Returns the user as whom containers run if YARN's configuration alone determines it. */
  static Optional<String> knownUser(Configuration site) {
    boolean submitters =
        site.get("hadoop.security.authentication", "simple").equals("kerberos")
            || !site.getBoolean(LIMIT_USERS, true);
    return submitters ? Optional.empty() : Optional.of(site.getTrimmed(LOCAL_USER, "nobody"));
  }

  /**
   * Returns what the program refuses.
   *
   * @param limits {@code container-executor.cfg}
   * @throws IOException if that file cannot be read
   */
  List<Finding> findings(Path limits, Configuration site) throws IOException {
    Map<String, String> keys = read(limits);
    List<Finding> findings = new ArrayList<>();
    group(limits, keys, site).ifPresent(findings::add);
    findings.addAll(changeable(limits.toRealPath()));
    program(limits, site)
        .flatMap(program -> program(program, limits, keys.get(GROUP)))
        .ifPresent(findings::add);
    knownUser(site).flatMap(user -> user(limits, keys, user)).ifPresent(findings::add);
    return findings;
  }

  /** Reads the keys above the first section. The program takes a key without value as missing. */
  private static Map<String, String> read(Path limits) throws IOException {
    Map<String, String> keys = new HashMap<>(DEFAULTS);
    for (String line : Files.readAllLines(limits)) {
      if (line.strip().startsWith("[")) {
        break;
      }
      String[] parts = line.split("=", 2);
      if (parts.length == 2 && !line.strip().startsWith("#") && !parts[1].isBlank()) {
        keys.put(parts[0].strip(), parts[1].strip());
      }
    }
    return keys;
  }

  private static Optional<Finding> group(
      Path limits, Map<String, String> keys, Configuration site) {
    String group = keys.get(GROUP);
    if (group == null) {
      return Optional.of(
          stops(
              limits + " does not set " + GROUP,
              "set it there to the group of the program container-executor"));
    }
    String nodeManagers = site.getTrimmed(GROUP, group);
    if (group.equals(nodeManagers)) {
      return Optional.empty();
    }
    return Optional.of(
        stops(
            "%s is %s in %s and %s in yarn-site.xml".formatted(GROUP, group, limits, nodeManagers),
            "set both to the group of the program container-executor"));
  }

  /** Returns those of a file and the directories above it that others than root may change. */
  private List<Finding> changeable(Path limits) {
    return Stream.iterate(limits, path -> path != null, Path::getParent)
        .flatMap(
            path ->
                rights.apply(path).stream()
                    .filter(its -> !its.onlyRootWrites())
                    .map(
                        its ->
                            stops(
                                "others than root may change %s (%s)".formatted(path, its),
                                its.sharedByAll()
                                    ? "move Hadoop's configuration out of " + path
                                    : "chown root %s; chmod go-w %s".formatted(path, path))))
        .toList();
  }

  /** Returns the program that is configured, or the one of a distribution's layout. */
  private static Optional<Path> program(Path limits, Configuration site) {
    String configured = site.getTrimmed(PROGRAM);
    if (configured != null) {
      return Optional.of(Path.of(configured));
    }
    return Optional.of(
            limits.toAbsolutePath().resolveSibling("../../bin/container-executor").normalize())
        .filter(Files::exists);
  }

  private Optional<Finding> program(Path program, Path limits, String group) {
    if (Files.notExists(program)) {
      return Optional.of(
          stops(
              "%s names %s, which does not exist".formatted(PROGRAM, program),
              "set it to bin/container-executor of Hadoop"));
    }
    if (group == null) {
      return Optional.empty();
    }
    return rights
        .apply(program)
        .filter(its -> !its.becomesRootFor(group))
        .map(
            its ->
                stops(
                    "%s has %s instead of owner root, group %s (%s in %s), mode 6050"
                        .formatted(program, its, group, GROUP, limits),
                    "chown root:%s %s; chmod 6050 %s".formatted(group, program, program)));
  }

  private Optional<Finding> user(Path limits, Map<String, String> keys, String user) {
    long minimum;
    try {
      minimum = Long.parseLong(keys.get(MINIMUM));
    } catch (NumberFormatException e) {
      return Optional.of(
          stops(
              "%s in %s is not a number: %s".formatted(MINIMUM, limits, keys.get(MINIMUM)),
              "set it to the lowest id of a user who may run containers"));
    }
    String another = "set " + LOCAL_USER + " to another user";
    if (user.equals("root")) {
      return Optional.of(refuses(LOCAL_USER + " is root, as whom no container runs", another));
    }
    OptionalLong id = userIds.apply(user);
    if (id.isEmpty()) {
      return Optional.of(
          refuses(
              "%s is %s, and this machine has no such user".formatted(LOCAL_USER, user),
              "create the user, or " + another));
    }
    if (names(keys, BANNED).contains(user)) {
      return Optional.of(
          refuses(
              "%s bans user %s (%s is %s), as which containers run without Kerberos"
                  .formatted(limits, user, BANNED, keys.get(BANNED)),
              "set " + LOCAL_USER + " to a user that is not banned"));
    }
    if (id.getAsLong() < minimum && !names(keys, ALLOWED).contains(user)) {
      return Optional.of(
          refuses(
              "user %s, as which containers run without Kerberos, has id %d, below %s = %d in %s, and %s there does not name the user"
                  .formatted(user, id.getAsLong(), MINIMUM, minimum, limits, ALLOWED),
              "add the user to %s, without a space, or %s".formatted(ALLOWED, another)));
    }
    return Optional.empty();
  }

  /** Returns the users of a list; a space is part of a name, as the program takes it. */
  private static List<String> names(Map<String, String> keys, String key) {
    return List.of(keys.get(key).split(",", -1));
  }

  private static Finding stops(String problem, String cure) {
    return new Finding(CheckStatus.MISSING, problem, cure);
  }

  private static Finding refuses(String problem, String cure) {
    return new Finding(CheckStatus.DEGRADED, problem, cure);
  }
}
