/**
 * The interface of a host that the house itself serves. Such a host needs a grant and is recorded
 * like any other, but uses no network.
 */
import type { AgentRecord, Clock, Usage } from "@hearth/protocol";
import type { Framing } from "./body.ts";
import { eachWithDeadline } from "./deadline.ts";
import type { HeaderLine } from "./head.ts";
import { countBytes, type Meter } from "./upstream-connection.ts";
import { type OutgoingBody, PIECE_TIMEOUT_MS, type RoundTrip } from "./round-trip.ts";
import type { EgressCaller } from "./tokens.ts";

export interface OwnRequest {
  readonly method: string;
  /** The normalized path without its query. */
  readonly path: string;
  /** The body, which may be empty. Reading it throws `egress.*` if it is truncated. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The agent's current record. */
  readonly agent: AgentRecord;
  readonly caller: EgressCaller;
}

export interface OwnAnswer {
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  /** The body as a whole or as a stream. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /**
   * Ends the request and aborts work that is still running. Must be called even if the body was
   * not read. Returns the model usage, if it is known.
   */
  close(): Promise<Usage | undefined>;
}

/**
 * Answers a request. Errors and failures are answers too. Throws `egress.*` only if the client
 * closed the connection or may not continue.
 */
export type OwnHost = (request: OwnRequest) => Promise<OwnAnswer>;

export interface OwnExchange extends RoundTrip, Pick<OwnAnswer, "close"> {}

/** Does what `roundTrip` does, but without a connection. Only the bytes of the bodies count. */
export const askOwnHost = async (
  host: OwnHost,
  request: Omit<OwnRequest, "body"> & { readonly body: OutgoingBody | undefined },
  { clock, meter }: { readonly clock: Clock; readonly meter: Meter },
): Promise<OwnExchange> => {
  const { body, caller } = request;
  const requestBytes = async function* (): AsyncGenerator<Uint8Array> {
    if (body === undefined) return;
    for await (const piece of eachWithDeadline(clock, PIECE_TIMEOUT_MS, "The request", body.bytes, caller.signal)) {
      countBytes(meter, piece.length, "sent");
      yield piece;
    }
  };
  const answer = await host({ ...request, body: requestBytes() });
  const { status, headers } = answer;
  const responseBytes = async function* (): AsyncGenerator<Uint8Array> {
    for await (const piece of answer.body instanceof Uint8Array ? [answer.body] : answer.body) {
      countBytes(meter, piece.length, "received");
      yield piece;
    }
  };
  const framing = framingOf(request.method, answer);
  return {
    head: { status, reason: "", version: 1, headers },
    framing,
    body: framing.kind === "none" ? noBytes() : responseBytes(),
    isReusable: () => true,
    close: () => answer.close(),
  };
};

async function* noBytes(): AsyncGenerator<Uint8Array> {}

const framingOf = (method: string, { body }: OwnAnswer): Framing => {
  if (method === "HEAD") return { kind: "none" };
  return body instanceof Uint8Array ? { kind: "length", size: body.length } : { kind: "chunked" };
};
