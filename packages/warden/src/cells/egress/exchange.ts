/**
 * Makes one request of an agent to an upstream. A grant must allow the request, the choke point
 * must pass it, and the ledger records it. It goes to a checked address with the secrets that are
 * granted for it. Cells and host tools both use this module.
 */
import {
  grantsFor,
  isPublicWeb,
  type Origin,
  refusalOf,
  type RequestPath,
  type RequestTarget,
} from "../../policy/index.ts";
import {
  type AgentRecord,
  type EgressEntry,
  type EgressGrant,
  HearthError,
  isHearthError,
  type World,
} from "@hearth/protocol";
import type { Framing } from "./body.ts";
import { endToEnd, type HeaderLine, withoutHeaders } from "./head.ts";
import type { Ledger } from "./ledger.ts";
import { hostHeader, type UpstreamConnection, type Meter } from "./upstream-connection.ts";
import { askOwnHost, type OwnHost, type OwnExchange } from "./own-host.ts";
import { redactBody, redactHead, requireReadable, UNREADABLE_HEADERS } from "./redaction.ts";
import { type OutgoingBody, type RoundTrip, roundTrip } from "./round-trip.ts";
import type { EgressSecrets, Injection } from "./secrets.ts";
import type { Allowance, GrantUsage } from "./grant-usage.ts";
import type { EgressCaller } from "./tokens.ts";
import type { InFlightCalls } from "./in-flight.ts";

export interface OutgoingRequest {
  readonly origin: Origin;
  readonly method: string;
  readonly path: RequestPath;
  /** The headers. `Host` is set from the origin, and hop-by-hop headers are removed. */
  readonly headers: readonly HeaderLine[];
  readonly body?: OutgoingBody;
  /**
   * Who chose the address of a tool's request. `call` is the call, which the choke point has
   * judged. `granted-page` and `public-page` are redirects of a granted host or of the public web.
   * It is absent for a program in a cell.
   */
  readonly chosenBy?: "call" | "granted-page" | "public-page";
}

export interface ExchangeResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly HeaderLine[];
  /** The framing of `body`, which determines whether its length is known. */
  readonly framing: Framing;
  /** The body. Reading it throws `egress.*` if it is truncated. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Whether only the grant of the public web allowed the request. */
  readonly isFromPublicWeb: boolean;
  /**
   * Ends the request. Must be called even if the body was not read. The ledger's entry is durable
   * when the promise resolves.
   */
  close(): Promise<void>;
}

/** The effect that the choke point judges. `path` includes the query. */
export interface EgressEffect extends RequestTarget {
  readonly caller: EgressCaller;
  readonly agent: AgentRecord;
  readonly isJudged: boolean;
}

/** Calls `begin` when the request may be sent. No byte is sent before `begin` resolves. */
export type PassEgress = (
  effect: EgressEffect,
  begin: () => Promise<void>,
) => Promise<"allowed" | { readonly why: string }>;

export interface ExchangeOptions {
  readonly world: Pick<World, "clock" | "ids">;
  readonly ledger: Ledger;
  readonly grantUsage: GrantUsage;
  readonly secrets: EgressSecrets;
  /** Returns the agent's current record. */
  readonly agentOf: (caller: EgressCaller) => Promise<AgentRecord>;
  readonly pass: PassEgress;
  /** The hosts that the house itself serves, by name. */
  readonly ownHosts: ReadonlyMap<string, OwnHost>;
  /** Tracks the calls of those hosts. */
  readonly inFlight: Pick<InFlightCalls, "begin">;
}

/**
 * Throws `egress.refused` with the reason for the caller, and `egress.failed` and
 * `egress.malformed` for failures of the upstream.
 */
export type Exchange = (
  outgoing: OutgoingRequest,
  caller: EgressCaller,
  upstream: UpstreamConnection,
) => Promise<ExchangeResponse>;

const MAX_LEDGER_PATH = 1000;

export const createExchange = (options: ExchangeOptions): Exchange => {
  const { world, ledger, grantUsage, secrets, ownHosts, inFlight } = options;

  /** Returns the first matching grant that has bytes left. */
  const admit = async (
    agent: AgentRecord,
    requestTarget: RequestTarget,
    outgoing: OutgoingRequest,
    { activation }: EgressCaller,
  ): Promise<Admission> => {
    const grants = agent.content.egress ?? [];
    const matchingGrants = admittingGrants(grants, requestTarget, outgoing);
    if (matchingGrants.length === 0) {
      throw new HearthError("egress.refused", refusalOf(grants, requestTarget), {
        hint: `To allow it: hearth egress allow ${agent.handle} ${requestTarget.host}`,
      });
    }
    if (!grantUsage.countRequest(activation))
      throw refusedError("This turn has reached the limit of requests per turn.");
    for (const grant of matchingGrants) {
      const allowance = await grantUsage.allowanceOf(activation, grant);
      if (allowance.left() > 0) return { allowance, isPublic: isPublicWeb(grant) };
    }
    throw refusedError("This turn has used up the bytes of its grant.");
  };

  return async (outgoing, caller, upstream) => {
    const { origin, method, path, body } = outgoing;
    const requestTarget: RequestTarget = { ...origin, method, path: path.path };
    const target = path.path + path.query;
    let meter: Meter | undefined;
    let ownExchange: OwnExchange | undefined;
    let endCall = (): void => {};
    let state: "asking" | "begun" | "over" = "asking";
    let entry = newEntry(world, outgoing, caller);

    const finish = async (end: Partial<EgressEntry>): Promise<void> => {
      if (state === "over") return;
      const write = state === "begun" ? ledger.end : ledger.refuse;
      state = "over";
      try {
        const usage = await ownExchange?.close();
        const bytes = { sentBytes: meter?.sent ?? 0, receivedBytes: meter?.received ?? 0 };
        entry = { ...entry, ...end, ...bytes, ...(usage === undefined ? {} : { usage }) };
        await write(entry);
      } finally {
        endCall();
      }
    };
    const fail = async (error: unknown): Promise<HearthError> => {
      // If a request is refused before its first byte is sent, the connection stays usable.
      if (meter !== undefined) upstream.drop();
      const failure = toFailure(error);
      await finish({ outcome: failure.code === "egress.refused" ? "refused" : "failed", why: failure.message });
      return failure;
    };

    try {
      const agent = await options.agentOf(caller);
      const { allowance, isPublic } = await admit(agent, requestTarget, outgoing, caller);
      const isJudged = isPublic || outgoing.chosenBy === "call";
      const verdict = await options.pass({ ...requestTarget, path: target, caller, agent, isJudged }, async () => {
        await ledger.begin(entry);
        state = "begun";
      });
      if (verdict !== "allowed") throw refusedError(verdict.why);
      const ownHost = ownHosts.get(origin.host);
      const [injections, redactorFor] = await Promise.all([
        ownHost === undefined && !isPublic ? secrets.injectionsFor(agent.id, requestTarget) : [],
        secrets.redactorFor(agent.id),
      ]);
      entry = { ...entry, secrets: [...new Set(injections.map(({ secret }) => secret))] };
      meter = { allowance, sent: 0, received: 0 };
      if (caller.signal.aborted) throw refusedError("The turn is over.");
      if (ownHost !== undefined) {
        endCall = inFlight.begin(caller.activation);
        const request = { method, path: path.path, body, agent, caller };
        ownExchange = await askOwnHost(ownHost, request, { ...world, meter });
      }
      const sendUpstream = async (usedMeter: Meter): Promise<RoundTrip> => {
        const connection = await upstream.connect(origin, usedMeter, { signal: caller.signal, isPublic });
        const sentRequest = isPublic ? { ...outgoing, headers: keepAnonymous(outgoing.headers) } : outgoing;
        const headers = headersFor(sentRequest, injections, { isScanned: redactorFor !== undefined });
        return roundTrip(connection, { method, target, headers, body }, { ...world, signal: caller.signal });
      };
      const response = ownExchange ?? (await sendUpstream(meter));
      entry = { ...entry, status: response.head.status };
      return toAnswer(response, redactorFor, { upstream, isPublic, finish, fail });
    } catch (error) {
      throw await fail(error);
    }
  };
};

/** The grant that allowed a request. */
interface Admission {
  /** The remaining bytes of the grant. */
  readonly allowance: Allowance;
  /** Whether it is the grant of the public web. */
  readonly isPublic: boolean;
}

/**
 * Returns the grants that allow the request. The public web applies to tools of the house, without
 * a body, and where no other grant does. A redirect of a public page leads only to public pages.
 */
const admittingGrants = (
  grants: readonly EgressGrant[],
  requestTarget: RequestTarget,
  { chosenBy, body }: OutgoingRequest,
): readonly EgressGrant[] => {
  const matchingGrants = grantsFor(grants, requestTarget);
  const namedHostGrants = chosenBy === "public-page" ? [] : matchingGrants.filter((grant) => !isPublicWeb(grant));
  if (namedHostGrants.length > 0 || chosenBy === undefined || body !== undefined) return namedHostGrants;
  return matchingGrants.filter(isPublicWeb);
};

/** Keeps the headers that say nothing about the agent. */
const keepAnonymous = (headers: readonly HeaderLine[]): readonly HeaderLine[] =>
  headers.filter(([name]) => ANONYMOUS_HEADERS.has(name.toLowerCase()));

const ANONYMOUS_HEADERS: ReadonlySet<string> = new Set(["accept", "accept-encoding", "accept-language"]);

/** The parts that end with a request: its connection, and its entry in the ledger. */
interface ExchangeEnd {
  readonly upstream: UpstreamConnection;
  readonly isPublic: boolean;
  finish(end: Partial<EgressEntry>): Promise<void>;
  fail(error: unknown): Promise<HearthError>;
}

/**
 * Converts the response and removes the agent's secrets. Throws `egress.*` if the response cannot
 * be searched for secrets.
 */
const toAnswer = (
  response: RoundTrip,
  redactorFor: Awaited<ReturnType<EgressSecrets["redactorFor"]>>,
  { upstream, isPublic, finish, fail }: ExchangeEnd,
): ExchangeResponse => {
  const { framing } = response;
  if (redactorFor !== undefined && framing.kind !== "none") requireReadable(response.head);
  const { status, reason, headers } =
    redactorFor === undefined ? response.head : redactHead(response.head, redactorFor);
  let isRead = framing.kind === "none";
  const read = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* redactorFor === undefined ? response.body : redactBody(redactorFor(), response.body);
      isRead = true;
    } catch (error) {
      throw await fail(error);
    }
  };
  return {
    status,
    reason,
    headers,
    isFromPublicWeb: isPublic,
    body: read(),
    // The removal of secrets changes the length.
    framing: redactorFor === undefined || framing.kind === "none" ? framing : { kind: "chunked" },
    async close() {
      if (!isRead || !response.isReusable()) upstream.drop();
      await finish({ outcome: "allowed", ...(isRead ? {} : { why: "The response was not read to its end." }) });
    },
  };
};

/** Creates the entry of a request before it is allowed. */
const newEntry = (
  { clock, ids }: Pick<World, "clock" | "ids">,
  { origin, method, path }: OutgoingRequest,
  { agent, activation }: EgressCaller,
): EgressEntry => ({
  id: ids.fresh("egr"),
  agent,
  activation,
  at: clock.now(),
  host: origin.host,
  port: origin.port,
  method,
  path: path.path.slice(0, MAX_LEDGER_PATH),
  outcome: "refused",
  sentBytes: 0,
  receivedBytes: 0,
  secrets: [],
});

const headersFor = (
  { origin, headers }: OutgoingRequest,
  injections: readonly Injection[],
  { isScanned }: { readonly isScanned: boolean },
): readonly HeaderLine[] => {
  const replacedHeaders = injections.map(({ header }) => header.toLowerCase());
  // The proxy has already answered `Expect`, so it is not sent on.
  const removedHeaders = ["host", "expect", ...replacedHeaders, ...(isScanned ? UNREADABLE_HEADERS : [])];
  return [
    ["Host", hostHeader(origin)],
    ...withoutHeaders(endToEnd(headers), removedHeaders),
    ...injections.map(({ header, value }) => [header, value] as const),
    ...(isScanned ? [["Accept-Encoding", "identity"] as const] : []),
  ];
};

const refusedError = (message: string): HearthError => new HearthError("egress.refused", message);

/** Converts the error to one with a message for the ledger and the caller. */
const toFailure = (error: unknown): HearthError => {
  if (isHearthError(error) && error.code.startsWith("egress.")) return error;
  if (isHearthError(error, "cell.lost"))
    return new HearthError("egress.failed", "The client closed the connection.", { cause: error });
  return new HearthError("egress.failed", isHearthError(error) ? error.message : "The connection broke.", {
    cause: error,
  });
};
