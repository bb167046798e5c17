/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.http;

import java.io.IOException;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.ssl.KeyStoresFactory;
import org.apache.hadoop.security.ssl.SSLFactory;

/**
 * The certificates that this process trusts, according to Hadoop's {@code ssl-client.xml}; if that
 * names no truststore, the JDK's. Thread-safe.
 */
final class Trust {
  private final Configuration configuration;
  private SSLContext context;

  /** Creates the object; nothing is read before the first call. */
  Trust(Configuration configuration) {
    this.configuration = configuration;
  }

  /**
   * Returns the context for secure connections. If the truststore cannot be read, the next call
   * tries again; if it changes, Hadoop reads it again.
   *
   * @throws AccessException if a truststore cannot be read; the message names the key
   */
  synchronized SSLContext context() throws AccessException {
    if (context == null) {
      SSLFactory factory = new SSLFactory(SSLFactory.Mode.CLIENT, configuration);
      try {
        factory.init();
        KeyStoresFactory stores = factory.getKeystoresFactory();
        SSLContext made = SSLContext.getInstance("TLS");
        made.init(stores.getKeyManagers(), stores.getTrustManagers(), null);
        context = made;
      } catch (IOException | GeneralSecurityException | RuntimeException e) {
        factory.destroy(); // it watches the file in a thread, and the next attempt creates another
        throw new AccessException(
            "the truststore of ssl.client.truststore.location (ssl-client.xml) cannot be used: "
                + e.getMessage(),
            e);
      }
    }
    return context;
  }
}
