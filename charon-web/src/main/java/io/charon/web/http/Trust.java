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
 * Whose certificates this process believes, by Hadoop's {@code ssl-client.xml}; where that names no
 * truststore, the JDK's. Thread-safe.
 */
final class Trust {
  private final Configuration configuration;
  private SSLContext context;

  /** Nothing is read before somebody asks. */
  Trust(Configuration configuration) {
    this.configuration = configuration;
  }

  /**
   * What a secure connection is made with. A truststore that cannot be read is tried again with the
   * next call, one that changes is read anew by Hadoop.
   *
   * @throws AccessException naming the key, if a truststore cannot be read
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
        factory.destroy(); // it watches the file with a thread, and the next try makes another
        throw new AccessException(
            "the truststore of ssl.client.truststore.location (ssl-client.xml) cannot be used: "
                + e.getMessage(),
            e);
      }
    }
    return context;
  }
}
