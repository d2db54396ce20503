/** What egress needs of the machine: connections to addresses that were checked, and the house's own end of TLS. */

/** Bytes both ways. A byte stream of a link is one; so is a socket. */
export interface Connection {
  /** For one reader. Ends when the other side has ended; throws when the connection broke. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Resolves once there is room for more. Throws when nobody takes it any more. */
  write(bytes: Uint8Array): Promise<void>;
  /** No more will be written. */
  end(): void;
  /** Gives up both directions at once. */
  reset(): void;
}

export interface DialRequest {
  /** An address that was checked. Never a name: nobody is asked for it again. */
  readonly address: string;
  readonly port: number;
  /** TLS, with a certificate for exactly this host. Absent: plain. */
  readonly tlsHost?: string;
}

/**
 * Contract, checked by `networkConformance`; what is said of proxies and TLS beside each implementation that has them:
 * - it connects to the address, whatever proxies the environment names
 * - with `tlsHost`, only where the certificate is trusted and for that host; TLS 1.2 at least, HTTP/1.1 alone is offered
 * - throws `egress.failed`; after `signal` aborts nothing of it is left
 * - `write` waits for a slow reader; nothing piles up
 */
export interface Network {
  dial(request: DialRequest, signal: AbortSignal): Promise<Connection>;
}

/** The house's end of a connection that means to speak TLS with some host. */
export interface Tls {
  /**
   * What the other side says in TLS that was offered a certificate for `host` by the house's own authority. Throws `egress.refused` if it
   * asked for another name, `egress.failed` if it speaks no TLS.
   */
  terminate(connection: Connection, host: string): Promise<Connection>;
  /** The authority's certificate, PEM: whoever trusts it believes that this house is anybody. The key stays with the house. */
  certificate(): Promise<string>;
}
