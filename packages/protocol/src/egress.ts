/** Where an agent may go on the network, and what a turn did there. */
import { z } from "zod";
import { ActivationId, AgentId, EgressId } from "./ids.ts";
import { Usage } from "./model.ts";

export const MAX_EGRESS_GRANTS = 200;

/** The host that a house itself is to its cells: there an agent's programs find the model that the agent has, and need no key. */
export const MODEL_HOST = "model.hearth";

/**
 * A host name, `*.` before one for every name below it (not itself), or an IP address in its usual form. Lower case, no dot at the end, at least two
 * labels; a wildcard stands before at least two. A private address or a name that leads to one is refused all the same.
 */
export const HostPattern = z
  .string()
  .max(253)
  .regex(
    /^(?:(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]{2,39}\])$/,
    "is not a host name, *. before one, or an IP address",
  )
  .refine((host) => !host.startsWith("*.") || host.split(".").length > 2, "stands for all of a top-level domain");

export const HttpMethod = z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
export type HttpMethod = z.infer<typeof HttpMethod>;

/** One place on the network. What is left out is not limited. */
export const EgressGrant = z.strictObject({
  host: HostPattern,
  /** Absent: 443, and 80 for plain HTTP. */
  port: z.int().min(1).max(65_535).optional(),
  methods: z.array(HttpMethod).min(1).max(7).optional(),
  /** The path has to be this or go on below it: `/v1` allows `/v1` and `/v1/x`, not `/v10`. */
  path: z
    .string()
    .max(1000)
    .regex(/^\/[\x21-\x7e]*$/, "is not a path")
    .optional(),
  /** Bytes of one activation, both ways together. */
  maxBytes: z.int().positive().optional(),
});
export type EgressGrant = z.infer<typeof EgressGrant>;

/** A line of a turn's ledger: one request, or one connection whose inside cannot be seen. */
export const EgressEntry = z.object({
  id: EgressId,
  agent: AgentId,
  /** Absent: nobody knows which of the agent's turns it was. */
  activation: ActivationId.optional(),
  /** UTC milliseconds of its beginning. */
  at: z.int(),
  host: z.string(),
  port: z.int(),
  /** Absent: a tunnel. */
  method: z.string().optional(),
  path: z.string().optional(),
  outcome: z.enum(["allowed", "refused", "failed"]),
  /** What the other side answered; absent if it did not. */
  status: z.int().optional(),
  /** Why it was refused or failed, in words. */
  why: z.string().optional(),
  /** Bytes of the other side's requests and answers as they crossed the wire, without TLS and TCP. Of `MODEL_HOST`, the bodies. */
  sentBytes: z.int().nonnegative(),
  receivedBytes: z.int().nonnegative(),
  /** Names of secrets that were put in on the way. */
  secrets: z.array(z.string()),
  /** What a model took for it, as far as its provider told. */
  usage: Usage.optional(),
});
export type EgressEntry = z.infer<typeof EgressEntry>;
export const EgressList = z.array(EgressEntry);
