/** Matches requests against an agent's egress grants. Only grants decide where a request may go. */
import { type EgressGrant, MODEL_HOST, PUBLIC_WEB } from "@hearth/protocol";
import { parseAddress } from "./address.ts";
import { bareHost, matchesHost } from "./host.ts";
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

/** Whether the grant is the one of the public web, which names no host. */
export const isPublicWeb = ({ host }: Pick<EgressGrant, "host">): boolean => host === PUBLIC_WEB;

/** HTTP methods that only read and have no body. */
export const READING_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Whether the request could read a page that everyone can read. The address is checked later. */
const readsPublicPage = ({ scheme, host, port, method }: RequestTarget): boolean =>
  scheme === "https" &&
  port === DEFAULT_PORTS.https &&
  READING_METHODS.has(method) &&
  host !== MODEL_HOST &&
  parseAddress(bareHost(host)) === undefined;

const allowsRequest = (grant: EgressGrant, target: RequestTarget): boolean => {
  if (isPublicWeb(grant)) return readsPublicPage(target);
  return (
    matchesHost(grant.host, target.host) &&
    target.port === (grant.port ?? DEFAULT_PORTS[target.scheme]) &&
    (grant.methods === undefined || grant.methods.some((method) => method === target.method)) &&
    (grant.path === undefined || isBelow(target.path, grant.path))
  );
};

/** Returns the grants that allow the request, in their order. */
export const grantsFor = (grants: readonly EgressGrant[], target: RequestTarget): readonly EgressGrant[] =>
  grants.filter((grant) => allowsRequest(grant, target));

/** Whether a grant names this host and port. */
export const reachesHost = (grants: readonly EgressGrant[], { host, port }: Pick<Origin, "host" | "port">): boolean =>
  grants.some(
    (grant) =>
      matchesHost(grant.host, host) &&
      (grant.port === undefined ? port === DEFAULT_PORTS.http || port === DEFAULT_PORTS.https : port === grant.port),
  );

/** Returns the reason why the request is not allowed, as far as the agent may know it. */
export const refusalOf = (grants: readonly EgressGrant[], { host, port, method, path }: RequestTarget): string => {
  if (grants.length === 0) return "This agent has no grant for the network.";
  if (reachesHost(grants, { host, port }))
    return `This agent's grants for ${host}:${port} do not allow ${method} ${path}.`;
  const scope = grants.some(isPublicWeb)
    ? " Its web access is for pages with a host name, by GET at https addresses, with the tools of the house."
    : "";
  return `This agent has no grant for ${host}:${port}.${scope}`;
};
