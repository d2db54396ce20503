/**
 * Headers and query parameters of the Durable Streams protocol. Names are those of the protocol.
 */
import type { ByteStreamInfo, Producer } from "../../kernel/index.ts";
import { formatOffset, parseOffset } from "../../kernel/lazy.ts";
import { HearthError, type World } from "@hearth/protocol";

const invalidRequestError = (message: string, hint?: string): HearthError =>
  new HearthError("request.invalid", message, hint === undefined ? {} : { hint });

/** Matches whole numbers without sign or leading zeros. */
const WHOLE_NUMBER = /^(0|[1-9]\d{0,15})$/;

const readWholeNumber = (name: string, text: string): number => {
  if (!WHOLE_NUMBER.test(text) || !Number.isSafeInteger(Number(text)))
    throw invalidRequestError(`${name} is not a whole number.`);
  return Number(text);
};

/** Creates the error for an offset from before a restore of the house. */
const staleOffsetError = (): HearthError =>
  new HearthError("stream.behind", "This offset is from before the house was restored from a backup.", {
    hint: "Read the stream again from -1.",
  });

/**
 * Reads an offset: `start`, `now`, or a position. If it is absent and not required, returns the
 * start.
 */
export const readOffset = (query: URLSearchParams, epoch: string): number | "now" | undefined => {
  const [text, ...otherOffsets] = query.getAll("offset");
  if (text === undefined) return undefined;
  if (otherOffsets.length > 0) throw invalidRequestError("The request has more than one offset.");
  if (text === "-1") return 0;
  if (text === "now") return "now";
  const offset = parseOffset(text, epoch);
  if (offset === undefined)
    throw invalidRequestError("This is not a valid offset.", "Send an offset from an answer, -1, or now.");
  if (offset === "stale") throw staleOffsetError();
  return offset;
};

export type Live = "long-poll" | "sse" | undefined;

export const readLive = (query: URLSearchParams): Live => {
  const live = query.get("live") ?? undefined;
  if (live !== undefined && live !== "long-poll" && live !== "sse")
    throw invalidRequestError("Unknown value of `live`.", "Use live=long-poll or live=sse.");
  return live;
};

export const saysClosed = (headers: Headers): boolean => headers.get("stream-closed")?.toLowerCase() === "true";

export interface Lifespan {
  readonly ttlSeconds?: number;
  readonly expiresAt?: number;
}

export const readLifespan = (headers: Headers): Lifespan => {
  const ttl = headers.get("stream-ttl");
  const expires = headers.get("stream-expires-at");
  if (ttl !== null && expires !== null)
    throw invalidRequestError("Stream-TTL and Stream-Expires-At cannot be combined.");
  if (ttl !== null) return { ttlSeconds: readWholeNumber("Stream-TTL", ttl) };
  if (expires === null) return {};
  const expiresAt = INSTANT.test(expires) ? Date.parse(expires) : Number.NaN;
  if (Number.isNaN(expiresAt))
    throw invalidRequestError("Stream-Expires-At is not a valid instant.", "Such as 2030-01-31T12:00:00Z");
  return { expiresAt };
};

/** Matches instants of RFC 3339. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

const MAX_PRODUCER_LENGTH = 200;

export const readProducer = (headers: Headers): Producer | undefined => {
  const id = headers.get("producer-id");
  const epoch = headers.get("producer-epoch");
  const seq = headers.get("producer-seq");
  if (id === null && epoch === null && seq === null) return undefined;
  if (id === null || epoch === null || seq === null)
    throw invalidRequestError("Producer-Id, Producer-Epoch and Producer-Seq must be sent together.");
  if (id === "" || id.length > MAX_PRODUCER_LENGTH)
    throw invalidRequestError(`Producer-Id has 1 to ${MAX_PRODUCER_LENGTH} characters.`);
  return { id, epoch: readWholeNumber("Producer-Epoch", epoch), seq: readWholeNumber("Producer-Seq", seq) };
};

const MAX_SEQ_LENGTH = 200;

export const readSeq = (headers: Headers): string | undefined => {
  const seq = headers.get("stream-seq") ?? undefined;
  if (seq !== undefined && (seq === "" || seq.length > MAX_SEQ_LENGTH))
    throw invalidRequestError(`Stream-Seq has 1 to ${MAX_SEQ_LENGTH} characters.`);
  return seq;
};

export interface ForkRequest {
  readonly from: string;
  readonly offset?: number;
  readonly sub: number;
}

export const readFork = (headers: Headers, epoch: string): ForkRequest | undefined => {
  const from = headers.get("stream-forked-from");
  const offsetText = headers.get("stream-fork-offset");
  const subText = headers.get("stream-fork-sub-offset");
  if (from === null) {
    if (offsetText !== null || subText !== null) throw invalidRequestError("A fork needs Stream-Forked-From.");
    return undefined;
  }
  const sub = subText === null ? 0 : readWholeNumber("Stream-Fork-Sub-Offset", subText);
  if (offsetText === null) return { from, sub };
  const offset = offsetText === "-1" ? 0 : parseOffset(offsetText, epoch);
  if (offset === "stale") throw staleOffsetError();
  if (offset === undefined) throw invalidRequestError("Stream-Fork-Offset is not a valid offset.");
  return { from, offset, sub };
};

/** Returns the headers of a position in a stream. */
export const positionHeaders = (
  offset: number,
  epoch: string,
  { isUpToDate = false, isClosed = false }: { readonly isUpToDate?: boolean; readonly isClosed?: boolean } = {},
): Record<string, string> => ({
  "stream-next-offset": formatOffset(offset, epoch),
  ...(isUpToDate ? { "stream-up-to-date": "true" } : {}),
  ...(isClosed ? { "stream-closed": "true" } : {}),
});

export const lifespanHeaders = ({ ttlSeconds, expiresAt }: Pick<ByteStreamInfo, "ttlSeconds" | "expiresAt">) => ({
  ...(ttlSeconds === undefined ? {} : { "stream-ttl": String(ttlSeconds) }),
  ...(expiresAt === undefined ? {} : { "stream-expires-at": new Date(expiresAt).toISOString() }),
});

const CURSOR_START = Date.UTC(2024, 9, 9);
const CURSOR_MS = 20_000;
/** Maximum jump of a cursor, in intervals. */
const MAX_JUMP = 180;

/**
 * Returns the name of the present time interval. Skips the caller's last cursor, so that a cache
 * does not serve the same answer without an end.
 */
export const cursorAfter = (lastCursor: string | null, world: Pick<World, "clock" | "random">): string => {
  const currentInterval = Math.floor((world.clock.now() - CURSOR_START) / CURSOR_MS);
  const lastInterval = lastCursor !== null && WHOLE_NUMBER.test(lastCursor) ? Number(lastCursor) : -1;
  if (lastInterval < currentInterval) return String(currentInterval);
  return String(lastInterval + 1 + ((world.random(1)[0] ?? 0) % MAX_JUMP));
};
