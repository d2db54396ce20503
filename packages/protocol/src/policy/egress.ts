/** Egress: which hosts an agent may reach, and the ledger of its requests. */
import { z } from "zod";
import { ActivationId, AgentId, EgressId } from "../base/ids.ts";
import { Usage } from "../agents/model.ts";

export const MAX_EGRESS_GRANTS = 200;

/** The host name under which programs in a cell reach the agent's model, without a key. */
export const MODEL_HOST = "model.hearth";

export const MAX_HOST_LENGTH = 253;
const HOST =
  /^(?:(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]{2,39}\])$/;
const isBelowTopLevel = (host: string): boolean => !host.startsWith("*.") || host.split(".").length > 2;

/**
 * A host name, a wildcard such as `*.example.com` for every name below one (not the name itself), or
 * an IP address in its usual form.
 *
 * Lower case, no trailing dot, at least two labels; a wildcard needs at least two labels after it.
 * Private addresses, and names that resolve to one, are refused even if granted.
 */
export const HostPattern = z
  .string()
  .max(MAX_HOST_LENGTH)
  .regex(HOST, "is not a host name, *. before one, or an IP address")
  .refine(isBelowTopLevel, "covers a whole top-level domain");

/**
 * Whether a text is a `HostPattern`. Forms use this function, because the schemas of the browser are
 * reduced and do not check patterns.
 */
export const isHostPattern = (host: string): boolean =>
  host.length <= MAX_HOST_LENGTH && HOST.test(host) && isBelowTopLevel(host);

/**
 * The host of a grant for the public web: pages that everyone can read, by GET or HEAD over HTTPS,
 * for tools that run in the house. It is not a host name, so it matches no request by name.
 */
export const PUBLIC_WEB = "*";
const GRANT_HOST = new RegExp(String.raw`^\*$|${HOST.source}`);

export const HttpMethod = z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
export type HttpMethod = z.infer<typeof HttpMethod>;

/** The syntax of an egress grant's path. */
export const EGRESS_PATH = /^\/[\x21-\x7e]*$/;

/** One permitted destination. Absent fields are not limited. */
const Destination = z.strictObject({
  /** A `HostPattern`, or `PUBLIC_WEB`. */
  host: z
    .string()
    .max(MAX_HOST_LENGTH)
    .regex(GRANT_HOST, "is not a host name, *. before one, or an IP address")
    .refine(isBelowTopLevel, "covers a whole top-level domain"),
  /** Absent: 443, and 80 for plain HTTP. */
  port: z.int().min(1).max(65_535).optional(),
  methods: z.array(HttpMethod).min(1).max(7).optional(),
  /** A path prefix of whole segments: `/v1` allows `/v1` and `/v1/x`, not `/v10`. */
  path: z.string().max(1000).regex(EGRESS_PATH, "is not a path").optional(),
  /** Maximum bytes per activation, both directions together. */
  maxBytes: z.int().positive().optional(),
});

export const EgressGrant = Destination.refine(
  ({ host, port, methods, path }) =>
    host !== PUBLIC_WEB || (port === undefined && methods === undefined && path === undefined),
  "The public web takes no port, methods or path",
);
export type EgressGrant = z.infer<typeof EgressGrant>;

/** An entry of a turn's ledger: one request, or one opaque connection. */
export const EgressEntry = z.object({
  id: EgressId,
  agent: AgentId,
  /** Absent: the activation is not known. */
  activation: ActivationId.optional(),
  /** Start time in UTC milliseconds. */
  at: z.int(),
  host: z.string(),
  port: z.int(),
  /** Absent: a tunnel. */
  method: z.string().optional(),
  path: z.string().optional(),
  outcome: z.enum(["allowed", "refused", "failed"]),
  /** HTTP status of the response, if there was one. */
  status: z.int().optional(),
  /** Why it was refused or failed, as a sentence. */
  why: z.string().optional(),
  /**
   * Bytes of requests and responses on the wire, without TLS and TCP. For `MODEL_HOST`, of the
   * bodies.
   */
  sentBytes: z.int().nonnegative(),
  receivedBytes: z.int().nonnegative(),
  /** Names of secrets that were inserted into the request. */
  secrets: z.array(z.string()),
  /** Model usage, if the provider reported it. */
  usage: Usage.optional(),
});
export type EgressEntry = z.infer<typeof EgressEntry>;
export const EgressList = z.array(EgressEntry);
