/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.kerby.kerberos.kerb.client.KrbClient;

/** A KDC in this process, with principals for daemons and users. */
final class TestKdc implements AutoCloseable {
  private static final String CONFIGURATION = "krb5.conf";

  private final MiniKdc kdc;
  private final Path directory;

  private TestKdc(MiniKdc kdc, Path directory) {
    this.kdc = kdc;
    this.directory = directory;
  }

  /**
   * Starts a KDC.
   *
   * @param directory empty directory
   * @param ticketSeconds lifetime of a ticket
   */
  static TestKdc start(Path directory, int ticketSeconds) throws Exception {
    Properties properties = MiniKdc.createConf();
    properties.setProperty(MiniKdc.MAX_TICKET_LIFETIME, Integer.toString(ticketSeconds));
    MiniKdc kdc = new MiniKdc(properties, directory.toFile());
    kdc.start();
    // The KDC removes its own file when it stops; on a real machine, daemons would keep theirs.
    Files.copy(kdc.getKrb5conf().toPath(), directory.resolve(CONFIGURATION));
    return new TestKdc(kdc, directory);
  }

  /** Returns the full name of a principal. */
  String principal(String name) {
    return name + "@" + kdc.getRealm();
  }

  /** Creates principals and returns a new file with their keys. */
  Path keytab(String... principals) throws Exception {
    Path keytab = directory.resolve(principals[0].replace('/', '-') + ".keytab");
    kdc.createPrincipal(keytab.toFile(), principals);
    return keytab;
  }

  /** Returns a new file with a ticket of a user, as kinit creates it. */
  Path ticketCache(String user) throws Exception {
    Path existing = directory.resolve(user + ".keytab");
    Path keytab = Files.exists(existing) ? existing : keytab(user);
    Path cache = Files.createTempFile(directory, user, ".ticket");
    KrbClient client = new KrbClient(kdc.getKrb5conf().getParentFile());
    client.init();
    client.storeTicket(client.requestTgt(principal(user), keytab.toFile()), cache.toFile());
    return cache;
  }

  /** Returns the JVM option by which a process finds the KDC. */
  String jvmOption() {
    return "-Djava.security.krb5.conf=" + directory.resolve(CONFIGURATION);
  }

  @Override
  public void close() {
    kdc.stop();
    System.clearProperty(MiniKdc.JAVA_SECURITY_KRB5_CONF);
  }
}
