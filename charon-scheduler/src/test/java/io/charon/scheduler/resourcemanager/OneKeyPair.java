/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyPairGeneratorSpi;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;

/**
 * Gives all ResourceManagers of this JVM the same RSA keys. Each of them generates keys for its web
 * proxy when it starts, which without the second compiler takes half a second of processor time:
 * the largest part of what their tests used.
 */
final class OneKeyPair extends Provider {
  private static final long serialVersionUID = 1L;

  private OneKeyPair() {
    super("OneKeyPair", "1", "generates the same RSA keys each time");
    put("KeyPairGenerator.RSA", Generator.class.getName());
  }

  static void install() {
    Security.insertProviderAt(new OneKeyPair(), 1);
  }

  /** Instantiated by the JDK. */
  public static final class Generator extends KeyPairGeneratorSpi {
    private static final KeyPair KEYS = generate();

    private static KeyPair generate() {
      try {
        KeyPairGenerator real = KeyPairGenerator.getInstance("RSA", "SunRsaSign");
        real.initialize(1024); // quicker; nobody attacks it
        return real.generateKeyPair();
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void initialize(int keySize, SecureRandom random) {}

    @Override
    public void initialize(AlgorithmParameterSpec parameters, SecureRandom random) {}

    @Override
    public KeyPair generateKeyPair() {
      return KEYS;
    }
  }
}
