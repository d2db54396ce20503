/**
 * Determines how a request reached the house: from which client, and under which address. Headers
 * of proxies count only on connections of trusted proxies.
 */
import { HearthError } from "@hearth/protocol";
import type { Peer } from "../people/index.ts";
import { createAddressSet } from "../policy/index.ts";
import { readForwarded } from "./forwarded.ts";
import { localOriginsOf, type Reach } from "./reach.ts";

/** The connection of a request, from the platform. */
export interface Connection {
  readonly address?: Peer;
  readonly isTls?: boolean;
  /** Whether the connection came through the tunnel's port. */
  readonly isTunnel?: boolean;
}

export interface Arrival {
  /** The client's address: the connection's, or the one that trusted proxies report. */
  readonly peer: Peer;
  /** The origin that the client used, such as `https://house.example`. Not yet checked. */
  readonly origin: string;
  /** Whether a trusted proxy passed the request on. */
  readonly isForwarded: boolean;
}

export interface Arrivals {
  /**
   * Throws `auth.host` if another machine connects to a port that is for proxies, and
   * `request.invalid` if a trusted proxy sends malformed headers.
   */
  resolve(request: Request, connection: Connection): Arrival;
  /** Throws `auth.host` unless the origin is an address of this house. */
  checkOrigin(arrival: Arrival): void;
}

export const createArrivals = ({ reach }: { readonly reach: () => Reach }): Arrivals => {
  let parsedReach = parseReach(reach());
  const currentParsedReach = (): ParsedReach => {
    const currentReach = reach();
    if (currentReach !== parsedReach.reach) parsedReach = parseReach(currentReach);
    return parsedReach;
  };

  return {
    resolve({ headers }, { address, isTls = false, isTunnel = false }) {
      const { reach: currentReach, isProxy } = currentParsedReach();
      if (isTunnel) return toTunnelArrival(headers, currentReach);
      const proxy = address !== undefined && isProxy(address) ? address : undefined;
      const isOutside = address !== undefined && proxy === undefined;
      if (currentReach.onlyProxies && !isTls && isOutside && !isLoopback(address)) {
        throw new HearthError("auth.host", "This port accepts connections from other machines only through a proxy.", {
          hint: "Use the public address of the house, which `hearth status` prints.",
        });
      }
      const hop = proxy === undefined ? undefined : readForwarded(headers, proxy, isProxy);
      const scheme = hop === undefined ? (isTls ? "https" : "http") : (hop.scheme ?? "http");
      const host = hop?.host ?? headers.get("host")?.toLowerCase() ?? "";
      return {
        peer: hop === undefined ? address : hop.address,
        origin: `${scheme}://${withoutDefaultPort(scheme, host)}`,
        isForwarded: hop !== undefined,
      };
    },

    checkOrigin({ origin, isForwarded }) {
      const {
        reach: { publicUrl },
        origins,
      } = currentParsedReach();
      // A proxy that names a local address does not pass on the one that its client used.
      if (isForwarded && publicUrl !== undefined ? origin === publicUrl : origins.has(origin)) return;
      throw new HearthError("auth.host", "This house does not answer requests for that address.", {
        hint: isForwarded
          ? `The proxy must pass on the Host and the X-Forwarded-Proto of ${publicUrl ?? "a local address"}: docs/operations.md has samples.`
          : "Use an address that `hearth status` prints. A proxy must be in `trusted_proxies` of hearth.toml.",
      });
    },
  };
};

/**
 * Returns the arrival of a request through a tunnel. Only the tunnel's public address counts, even
 * if a request names an address of this machine, because anyone can use a tunnel. The client is
 * undefined if the tunnel does not report it.
 */
const toTunnelArrival = (headers: Headers, { publicUrl, tunnel }: Reach): Arrival => {
  const { address, host } =
    (tunnel?.isForwarded === true && readForwarded(headers, UNKNOWN_ADDRESS, () => false)) || {};
  const scheme = publicUrl === undefined ? undefined : new URL(publicUrl).protocol.slice(0, -1);
  const requestedHost = host ?? headers.get("host")?.toLowerCase() ?? "";
  return {
    peer: address === UNKNOWN_ADDRESS ? undefined : address,
    // Before the address is known, no origin is right.
    origin:
      tunnel === undefined || scheme === undefined ? "" : `${scheme}://${withoutDefaultPort(scheme, requestedHost)}`,
    isForwarded: true,
  };
};
const UNKNOWN_ADDRESS = "0.0.0.0";

const isLoopback = createAddressSet(["127.0.0.0/8", "::1"]);

interface ParsedReach {
  readonly reach: Reach;
  readonly origins: ReadonlySet<string>;
  readonly isProxy: (address: string) => boolean;
}

const parseReach = (reach: Reach): ParsedReach => ({
  reach,
  origins: new Set([...localOriginsOf(reach.localUrl), ...(reach.publicUrl === undefined ? [] : [reach.publicUrl])]),
  isProxy: createAddressSet(reach.trustedProxies),
});

const withoutDefaultPort = (scheme: string, host: string): string =>
  scheme === "https" ? host.replace(/:443$/, "") : scheme === "http" ? host.replace(/:80$/, "") : host;
