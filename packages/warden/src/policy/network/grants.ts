/** Matches requests against an agent's egress grants. Only grants decide where a request may go. */
import type { EgressGrant } from "@hearth/protocol";
import { matchesHost } from "./host.ts";
import { isBelow } from "./path.ts";

export interface Origin {
  readonly scheme: "http" | "https";
  /** The normalized host. */
  readonly host: string;
  readonly port: number;
}

export interface RequestTarget extends Origin {
  readonly method: string;
  /** The normalized path without the query. */
  readonly path: string;
}

export const DEFAULT_PORTS = { http: 80, https: 443 } as const;

const fits = (grant: EgressGrant, wanted: RequestTarget): boolean =>
  matchesHost(grant.host, wanted.host) &&
  wanted.port === (grant.port ?? DEFAULT_PORTS[wanted.scheme]) &&
  (grant.methods === undefined || grant.methods.some((method) => method === wanted.method)) &&
  (grant.path === undefined || isBelow(wanted.path, grant.path));

/** Returns the grants that allow the request, in their order. */
export const grantsFor = (grants: readonly EgressGrant[], wanted: RequestTarget): readonly EgressGrant[] =>
  grants.filter((grant) => fits(grant, wanted));

/** Whether a grant covers this host and port. */
export const reachesHost = (grants: readonly EgressGrant[], { host, port }: Pick<Origin, "host" | "port">): boolean =>
  grants.some(
    (grant) =>
      matchesHost(grant.host, host) &&
      (grant.port === undefined ? port === DEFAULT_PORTS.http || port === DEFAULT_PORTS.https : port === grant.port),
  );

/** Returns the reason why the request is not allowed, as far as the agent may know it. */
export const refusalOf = (grants: readonly EgressGrant[], { host, port, method, path }: RequestTarget): string => {
  if (grants.length === 0) return "This agent has no grant for the network.";
  if (!reachesHost(grants, { host, port })) return `This agent has no grant for ${host}:${port}.`;
  return `This agent's grants for ${host}:${port} do not allow ${method} ${path}.`;
};
