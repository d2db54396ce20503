/** One request and its answer on a wire. Knows HTTP/1.1 and nothing of who asks or whether they may. */
import { type Clock, HearthError, isHearthError } from "@hearth/protocol";
import { framed, framingHeaders, framingOfResponse, type Framing, lastOf, readBody } from "./body.ts";
import { eachWithin, within } from "./deadline.ts";
import {
  formatRequestHead,
  type HeaderLine,
  listOf,
  MAX_HEAD_SIZE,
  parseResponseHead,
  type ResponseHead,
} from "./head.ts";
import type { Wire } from "./upstream-connection.ts";

export interface OutgoingBody {
  readonly framing: Framing;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface RoundTrip {
  readonly head: ResponseHead;
  readonly framing: Framing;
  /** Throws `egress.*` when it breaks off. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Whether, with the body read, another request may follow on the same wire. */
  isReusable(): boolean;
}

/** For the first line of an answer after all was sent: some far sides think for long. */
const ANSWER_MS = 300_000;
/** Between two pieces, either way. */
export const PIECE_MS = 120_000;
/** Answers that only say that another one comes. */
const MAX_INTERIM = 10;

export const roundTrip = async (
  wire: Wire,
  request: {
    readonly method: string;
    readonly target: string;
    readonly headers: readonly HeaderLine[];
    readonly body: OutgoingBody | undefined;
  },
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<RoundTrip> => {
  const { method, target, body } = request;
  const headers = [...request.headers, ...framingHeaders(body?.framing ?? { kind: "none" })];
  await wire.write(formatRequestHead({ method, target, headers }));
  // Goes on beside the answer: a far side may answer before it has heard all.
  const upload = sendBody(wire, body, { clock, signal });

  const readHead = async (): Promise<ResponseHead> => {
    for (let count = 0; count < MAX_INTERIM; count += 1) {
      const reading = Promise.race([wire.reader.head(MAX_HEAD_SIZE), upload.failed]);
      reading.catch(() => {});
      // Its time begins when it has all that it needs.
      await Promise.race([reading, upload.settled]);
      const bytes = await within(clock, ANSWER_MS, "The answer", reading, signal);
      if (bytes === undefined) throw new HearthError("egress.failed", "The far side ended without an answer.");
      const head = parseResponseHead(bytes);
      if (head.status === 101) throw new HearthError("egress.failed", "The far side went over to another protocol.");
      if (head.status >= 200) return head;
    }
    throw new HearthError("egress.failed", "The far side does not come to an answer.");
  };

  const head = await readHead();
  const framing = framingOfResponse(method, head);
  return {
    head,
    framing,
    body: eachWithin(clock, PIECE_MS, "The answer", readBody(wire.reader, framing), signal),
    isReusable: () =>
      framing.kind !== "open" &&
      head.version === 1 &&
      !listOf(head.headers, "connection").includes("close") &&
      upload.isDone() &&
      // Bytes that nobody asked for would be taken for the next answer.
      !wire.reader.hasMore(),
  };
};

interface Upload {
  /** Resolves when no more is sent, whether all of it was or not. */
  readonly settled: Promise<void>;
  /** Rejects where whoever asked broke off, or may send no more. */
  readonly failed: Promise<never>;
  isDone(): boolean;
}

const sendBody = (
  wire: Wire,
  body: OutgoingBody | undefined,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Upload => {
  let isDone = body === undefined;
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  /** Whether the far side takes more. One that does not may have answered already. */
  const write = async (bytes: Uint8Array): Promise<boolean> => {
    try {
      await wire.write(bytes);
      return true;
    } catch (error) {
      if (isHearthError(error, "egress.refused")) throw error;
      return false;
    }
  };
  const send = async ({ framing, bytes }: OutgoingBody): Promise<void> => {
    for await (const piece of eachWithin(clock, PIECE_MS, "The request", bytes, signal)) {
      if (!(await write(framed(framing, piece)))) return;
    }
    isDone = await write(lastOf(framing));
  };
  const settled = body === undefined ? Promise.resolve() : send(body).catch(failed.reject);
  return { settled, failed: failed.promise, isDone: () => isDone };
};
