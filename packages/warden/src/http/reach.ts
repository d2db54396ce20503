/** The addresses at which the port answers, and the proxies whose headers it trusts. */

export interface Reach {
  /** The origin for this machine, such as `http://127.0.0.1:18789`. Empty until the port is open. */
  readonly localUrl: string;
  /** The origin that browsers on other machines use, such as `https://house.example`. */
  readonly publicUrl?: string;
  /** Addresses and networks of proxies. Forwarded headers of other connections are ignored. */
  readonly trustedProxies: readonly string[];
  /**
   * Whether a connection from another machine must come from a trusted proxy, because the port
   * beyond loopback has no TLS.
   */
  readonly onlyProxies: boolean;
  /** The host and port that take connections of other machines. Absent: the house takes no such connections. */
  readonly outside?: string;
  /** The open tunnel, whose address is `publicUrl`. `isForwarded`: its requests name their clients. */
  readonly tunnel?: { readonly isForwarded: boolean };
  /** The certificate of that port. Absent: it has no TLS. */
  readonly certificate?: () => CertificateState;
}

/** The certificate for new connections. */
export interface CertificateState {
  /** Its host names and addresses, as the certificate lists them. */
  readonly names: string;
  readonly validUntil: number;
  /** Why a newer pair of files is not used. */
  readonly problem?: string;
}

/** The address of an open tunnel. */
export interface TunnelAddress {
  readonly url: string;
  /** Whether each of its requests names its client. */
  readonly isForwarded: boolean;
}

/**
 * Adds the address of an open tunnel to the addresses of the port. Returns the same object while
 * neither changes.
 */
export const withTunnel = (reach: () => Reach, address: () => TunnelAddress | undefined): (() => Reach) => {
  let cached: { readonly portReach: Reach; readonly tunnel: TunnelAddress; readonly reach: Reach } | undefined;
  return () => {
    const portReach = reach();
    const tunnel = address();
    if (tunnel === undefined) return portReach;
    if (cached?.portReach !== portReach || cached.tunnel !== tunnel) {
      const { url, isForwarded } = tunnel;
      cached = { portReach, tunnel, reach: { ...portReach, publicUrl: url, tunnel: { isForwarded } } };
    }
    return cached.reach;
  };
};

/** Returns every origin that a browser on this machine may use for the port. */
export const localOriginsOf = (localUrl: string): readonly string[] => {
  if (localUrl === "") return [];
  const { origin, port } = new URL(localUrl);
  return [origin, `http://127.0.0.1:${port}`, `http://localhost:${port}`, `http://[::1]:${port}`];
};
