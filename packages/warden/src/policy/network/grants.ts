/** What an agent's grants say about a request. Nothing but them decides where it may go. */
import type { EgressGrant } from "@hearth/protocol";
import { matchesHost } from "./host.ts";
import { isBelow } from "./path.ts";

export interface Origin {
  readonly scheme: "http" | "https";
  /** In its usual form. */
  readonly host: string;
  readonly port: number;
}

export interface Wanted extends Origin {
  readonly method: string;
  /** In its usual form, without the query. */
  readonly path: string;
}

export const DEFAULT_PORTS = { http: 80, https: 443 } as const;

const fits = (grant: EgressGrant, wanted: Wanted): boolean =>
  matchesHost(grant.host, wanted.host) &&
  wanted.port === (grant.port ?? DEFAULT_PORTS[wanted.scheme]) &&
  (grant.methods === undefined || grant.methods.some((method) => method === wanted.method)) &&
  (grant.path === undefined || isBelow(wanted.path, grant.path));

/** Those that allow it, in their order. */
export const grantsFor = (grants: readonly EgressGrant[], wanted: Wanted): readonly EgressGrant[] =>
  grants.filter((grant) => fits(grant, wanted));

/** Whether anything at all could be allowed at this host and port. */
export const reachesHost = (grants: readonly EgressGrant[], { host, port }: Pick<Origin, "host" | "port">): boolean =>
  grants.some(
    (grant) =>
      matchesHost(grant.host, host) &&
      (grant.port === undefined ? port === DEFAULT_PORTS.http || port === DEFAULT_PORTS.https : port === grant.port),
  );

/** Why it is not allowed, as far as whoever asks is told what is. */
export const refusalOf = (grants: readonly EgressGrant[], { host, port, method, path }: Wanted): string => {
  if (grants.length === 0) return "This agent has no grant for the network.";
  if (!reachesHost(grants, { host, port })) return `This agent has no grant for ${host}:${port}.`;
  return `This agent's grants for ${host}:${port} do not allow ${method} ${path}.`;
};
