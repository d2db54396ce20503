/**
 * Makes one request of an agent to an upstream. A grant must allow the request, the choke point
 * must pass it, and the ledger records it. It goes to a checked address with the secrets that are
 * granted for it. Cells and host tools both use this module.
 */
import { grantsFor, refusalOf, type Origin, type RequestTarget, type RequestPath } from "../../policy/index.ts";
import { type AgentRecord, type EgressEntry, HearthError, isHearthError, type World } from "@hearth/protocol";
import type { Framing } from "./body.ts";
import { endToEnd, type HeaderLine, withoutHeaders } from "./head.ts";
import type { Ledger } from "./ledger.ts";
import { hostHeader, type UpstreamConnection, type Meter } from "./upstream-connection.ts";
import { askOwnHost, type OwnHost, type OwnExchange } from "./own-host.ts";
import { redactBody, redactHead, requireReadable, UNREADABLE_HEADERS } from "./redaction.ts";
import { type OutgoingBody, type RoundTrip, roundTrip } from "./round-trip.ts";
import type { EgressSecrets, Injection } from "./secrets.ts";
import type { Allowance, GrantUsage } from "./spending.ts";
import type { EgressCaller } from "./tokens.ts";
import type { InFlight } from "./in-flight.ts";

export interface Outgoing {
  readonly origin: Origin;
  readonly method: string;
  readonly path: RequestPath;
  /** The headers. `Host` is set from the origin, and hop-by-hop headers are removed. */
  readonly headers: readonly HeaderLine[];
  readonly body?: OutgoingBody;
}

export interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly HeaderLine[];
  /** The framing of `body`, which says whether its length is known. */
  readonly framing: Framing;
  /** The body. Reading it throws `egress.*` if it is truncated. */
  readonly body: AsyncIterable<Uint8Array>;
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
}

/** Calls `begin` when the request may be sent. No byte is sent before `begin` resolves. */
export type PassEgress = (
  effect: EgressEffect,
  begin: () => Promise<void>,
) => Promise<"allowed" | { readonly why: string }>;

export interface ExchangeOptions {
  readonly world: Pick<World, "clock" | "ids">;
  readonly ledger: Ledger;
  readonly spending: GrantUsage;
  readonly secrets: EgressSecrets;
  /** Returns the agent's current record. */
  readonly agentOf: (caller: EgressCaller) => Promise<AgentRecord>;
  readonly pass: PassEgress;
  /** The hosts that the house itself serves, by name. */
  readonly ownHosts: ReadonlyMap<string, OwnHost>;
  /** Tracks the calls of those hosts. */
  readonly inFlight: Pick<InFlight, "begin">;
}

/**
 * Throws `egress.refused` with the reason for the caller, and `egress.failed` and
 * `egress.malformed` for failures of the upstream.
 */
export type Exchange = (outgoing: Outgoing, caller: EgressCaller, line: UpstreamConnection) => Promise<Answer>;

const MAX_LEDGER_PATH = 1000;

export const createExchange = (options: ExchangeOptions): Exchange => {
  const { world, ledger, spending, secrets, ownHosts, inFlight } = options;

  /** Returns the remaining bytes of the first matching grant that has any left. */
  const allow = async (agent: AgentRecord, wanted: RequestTarget, { activation }: EgressCaller): Promise<Allowance> => {
    const grants = agent.content.egress ?? [];
    const fitting = grantsFor(grants, wanted);
    if (fitting.length === 0) {
      throw new HearthError("egress.refused", refusalOf(grants, wanted), {
        hint: `To allow it: hearth egress allow ${agent.handle} ${wanted.host}`,
      });
    }
    if (!spending.countRequest(activation)) throw refusedError("This turn has reached the limit of requests per turn.");
    for (const grant of fitting) {
      const allowance = await spending.allowanceOf(activation, grant);
      if (allowance.left() > 0) return allowance;
    }
    throw refusedError("This turn has used up the bytes of its grant.");
  };

  return async (outgoing, caller, upstream) => {
    const { origin, method, path, body } = outgoing;
    const wanted: RequestTarget = { ...origin, method, path: path.path };
    const target = path.path + path.query;
    let meter: Meter | undefined;
    let ownTrip: OwnExchange | undefined;
    let leave = (): void => {};
    let state: "asking" | "begun" | "over" = "asking";
    let entry = newEntry(world, outgoing, caller);

    const finish = async (end: Partial<EgressEntry>): Promise<void> => {
      if (state === "over") return;
      const write = state === "begun" ? ledger.end : ledger.refuse;
      state = "over";
      try {
        const usage = await ownTrip?.close();
        const bytes = { sentBytes: meter?.sent ?? 0, receivedBytes: meter?.received ?? 0 };
        entry = { ...entry, ...end, ...bytes, ...(usage === undefined ? {} : { usage }) };
        await write(entry);
      } finally {
        leave();
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
      const allowance = await allow(agent, wanted, caller);
      const verdict = await options.pass({ ...wanted, path: target, caller, agent }, async () => {
        await ledger.begin(entry);
        state = "begun";
      });
      if (verdict !== "allowed") throw refusedError(verdict.why);
      const own = ownHosts.get(origin.host);
      const [injections, redactorFor] = await Promise.all([
        own === undefined ? secrets.injectionsFor(agent.id, wanted) : [],
        secrets.redactorFor(agent.id),
      ]);
      entry = { ...entry, secrets: [...new Set(injections.map(({ secret }) => secret))] };
      meter = { allowance, sent: 0, received: 0 };
      if (caller.signal.aborted) throw refusedError("The turn is over.");
      if (own !== undefined) {
        leave = inFlight.begin(caller.activation);
        const request = { method, path: path.path, body, agent, caller };
        ownTrip = await askOwnHost(own, request, { ...world, meter });
      }
      const goOut = async (counted: Meter): Promise<RoundTrip> => {
        const wire = await upstream.take(origin, counted, caller.signal);
        const headers = headersFor(outgoing, injections, { isLookedThrough: redactorFor !== undefined });
        return roundTrip(wire, { method, target, headers, body }, { ...world, signal: caller.signal });
      };
      const trip = ownTrip ?? (await goOut(meter));
      entry = { ...entry, status: trip.head.status };
      return toAnswer(trip, redactorFor, { upstream, finish, fail });
    } catch (error) {
      throw await fail(error);
    }
  };
};

/** The parts that the end of a request concerns: its connection, and its entry in the ledger. */
interface ExchangeEnd {
  readonly upstream: UpstreamConnection;
  finish(end: Partial<EgressEntry>): Promise<void>;
  fail(error: unknown): Promise<HearthError>;
}

/**
 * Converts the response and removes the agent's secrets. Throws `egress.*` if the response cannot
 * be searched for secrets.
 */
const toAnswer = (
  trip: RoundTrip,
  redactorFor: Awaited<ReturnType<EgressSecrets["redactorFor"]>>,
  { upstream, finish, fail }: ExchangeEnd,
): Answer => {
  const { framing } = trip;
  if (redactorFor !== undefined && framing.kind !== "none") requireReadable(trip.head);
  const { status, reason, headers } = redactorFor === undefined ? trip.head : redactHead(trip.head, redactorFor);
  let isRead = framing.kind === "none";
  const read = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* redactorFor === undefined ? trip.body : redactBody(redactorFor(), trip.body);
      isRead = true;
    } catch (error) {
      throw await fail(error);
    }
  };
  return {
    status,
    reason,
    headers,
    body: read(),
    // The removal of secrets changes the length.
    framing: redactorFor === undefined || framing.kind === "none" ? framing : { kind: "chunked" },
    async close() {
      if (!isRead || !trip.isReusable()) upstream.drop();
      await finish({ outcome: "allowed", ...(isRead ? {} : { why: "The response was not read to its end." }) });
    },
  };
};

/** Creates the entry of a request before it is allowed. */
const newEntry = (
  { clock, ids }: ExchangeOptions["world"],
  { origin, method, path }: Outgoing,
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
  { origin, headers }: Outgoing,
  injections: readonly Injection[],
  { isLookedThrough }: { readonly isLookedThrough: boolean },
): readonly HeaderLine[] => {
  const replaced = injections.map(({ header }) => header.toLowerCase());
  // The proxy has already answered `Expect`, so it is not sent on.
  const left = ["host", "expect", ...replaced, ...(isLookedThrough ? UNREADABLE_HEADERS : [])];
  return [
    ["Host", hostHeader(origin)],
    ...withoutHeaders(endToEnd(headers), left),
    ...injections.map(({ header, value }) => [header, value] as const),
    ...(isLookedThrough ? [["Accept-Encoding", "identity"] as const] : []),
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
