/** A host that the house itself is: reached by a grant and written down like any other, and no network is asked for it. */
import type { AgentRecord, Clock, Usage } from "@hearth/protocol";
import type { Framing } from "./body.ts";
import { eachWithin } from "./deadline.ts";
import type { HeaderLine } from "./head.ts";
import { countBytes, type Meter } from "./upstream-connection.ts";
import { type OutgoingBody, PIECE_MS, type RoundTrip } from "./round-trip.ts";
import type { EgressCaller } from "./tokens.ts";

export interface OwnRequest {
  readonly method: string;
  /** In its usual form, without its query. */
  readonly path: string;
  /** Nothing comes where there is none. Throws `egress.*` when it breaks off. */
  readonly body: AsyncIterable<Uint8Array>;
  /** As its record is now. */
  readonly agent: AgentRecord;
  readonly caller: EgressCaller;
}

export interface OwnAnswer {
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  /** Whole, or piece by piece as it comes to be. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /** To be called at the end, whether the body was read or not: ends what is under way. What a model took, as far as anybody told. */
  close(): Promise<Usage | undefined>;
}

/** What was asked amiss, and what failed, is an answer too. Throws `egress.*` only where whoever asks broke off or may not go on. */
export type OwnHost = (request: OwnRequest) => Promise<OwnAnswer>;

export interface OwnTrip extends RoundTrip, Pick<OwnAnswer, "close"> {}

/** As `roundTrip`, without a wire: the bytes that count are those of the bodies. */
export const askOwnHost = async (
  host: OwnHost,
  request: Omit<OwnRequest, "body"> & { readonly body: OutgoingBody | undefined },
  { clock, meter }: { readonly clock: Clock; readonly meter: Meter },
): Promise<OwnTrip> => {
  const { body, caller } = request;
  const sent = async function* (): AsyncGenerator<Uint8Array> {
    if (body === undefined) return;
    for await (const piece of eachWithin(clock, PIECE_MS, "The request", body.bytes, caller.signal)) {
      countBytes(meter, piece.length, "sent");
      yield piece;
    }
  };
  const answer = await host({ ...request, body: sent() });
  const { status, headers } = answer;
  const received = async function* (): AsyncGenerator<Uint8Array> {
    for await (const piece of answer.body instanceof Uint8Array ? [answer.body] : answer.body) {
      countBytes(meter, piece.length, "received");
      yield piece;
    }
  };
  const framing = framingOf(request.method, answer);
  return {
    head: { status, reason: "", version: 1, headers },
    framing,
    body: framing.kind === "none" ? nothing() : received(),
    isReusable: () => true,
    close: () => answer.close(),
  };
};

async function* nothing(): AsyncGenerator<Uint8Array> {}

const framingOf = (method: string, { body }: OwnAnswer): Framing => {
  if (method === "HEAD") return { kind: "none" };
  return body instanceof Uint8Array ? { kind: "length", size: body.length } : { kind: "chunked" };
};
