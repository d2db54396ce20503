/**
 * The network interfaces that egress uses: connections to checked addresses, and the house's end of
 * TLS.
 */

/** A connection of bytes in both directions. A byte stream of a link is one, and so is a socket. */
export interface Connection {
  /**
   * The received bytes, for one reader. The iteration ends when the peer has ended, and throws
   * when the connection broke.
   */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Sends bytes. Resolves when there is room for more. Throws if the peer no longer reads. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the writing direction. */
  end(): void;
  /** Aborts both directions at once. */
  reset(): void;
}

export interface DialRequest {
  /** A checked address. It is never a name, because a name would be resolved again. */
  readonly address: string;
  readonly port: number;
  /** Uses TLS with a certificate for exactly this host. It is absent for a connection without TLS. */
  readonly tlsHost?: string;
}

/**
 * Contract, checked by `networkConformance`; tests of proxies and TLS are next to the
 * implementations that have them:
 * - it connects to the address, whatever proxies the environment names
 * - with `tlsHost` it connects only if the certificate is trusted and for that host; at least TLS
 *   1.2, and only HTTP/1.1 is offered
 * - it throws `egress.failed`; after `signal` aborts, no connection is left
 * - `write` waits for a slow reader; nothing piles up
 */
export interface Network {
  dial(request: DialRequest, signal: AbortSignal): Promise<Connection>;
}

/** The house's end of a connection on which the client speaks TLS with another host. */
export interface Tls {
  /**
   * Terminates TLS with a certificate for `host` by the house's own authority, and returns the
   * decrypted connection. Throws `egress.refused` if the client asked for another name, and
   * `egress.failed` if it does not use TLS.
   */
  terminate(connection: Connection, host: string): Promise<Connection>;
  /**
   * Returns the authority's certificate as PEM. A program that trusts it accepts this house as
   * any host. The authority's private key never leaves the house.
   */
  certificate(): Promise<string>;
}
