/** Reads streams under `/v1/stream/`: stored data, a long poll, or server-sent events. */
import type { Chunk } from "../../kernel/index.ts";
import { HearthError } from "@hearth/protocol";
import { bytesAnswer } from "../answer.ts";
import { joinChunks } from "./durable-body.ts";
import { cursorAfter, positionHeaders, readLive, readOffset } from "./durable-headers.ts";
import type { Readable, ReadContext } from "./durable-readable.ts";
import { followBySse } from "./durable-sse.ts";

/** Default time limit of a long poll. */
export const LONG_POLL_MS = 20_000;

export const readStream = async (reading: ReadContext): Promise<Response> => {
  const { readable, request, epoch } = reading;
  checkDestination(request.headers);
  const query = new URL(request.url).searchParams;
  const offset = readOffset(query, epoch);
  const live = readLive(query);
  if (live !== undefined && offset === undefined)
    throw new HearthError("request.invalid", "Following a stream needs an offset.", {
      hint: "Send offset=-1, or offset=now.",
    });
  await readable.touch();
  const start = offset === "now" ? 0 : (offset ?? 0);
  const { tail, isClosed } = await readable.state(start);
  const position = offset === "now" ? tail : start;
  if (position > tail)
    throw new HearthError("stream.behind", "The offset is past the end of the stream.", {
      hint: "Read the stream again from -1.",
    });
  switch (live) {
    case "sse":
      return followBySse(reading, position, query.get("cursor"));
    case "long-poll":
      return answerLongPoll(reading, position, query.get("cursor"));
    default:
      return offset === "now"
        ? answerEmptyPage(reading, tail, isClosed)
        : answerPage(reading, position, tail, isClosed);
  }
};

/** Answers a HEAD request. */
export const answerHead = async (
  readable: Readable,
  epoch: string,
  moreHeaders: Readonly<Record<string, string>>,
): Promise<Response> => {
  const { tail, isClosed } = await readable.state(0);
  return bytesAnswer(null, 200, {
    "content-type": readable.contentType,
    ...positionHeaders(tail, epoch, { isClosed }),
    ...moreHeaders,
  });
};

/** Answers with the end of the stream, without data. */
const answerEmptyPage = (
  { readable: { contentType }, epoch }: ReadContext,
  tail: number,
  isClosed: boolean,
): Response =>
  bytesAnswer(joinChunks(contentType, []), 200, {
    "content-type": contentType,
    ...positionHeaders(tail, epoch, { isUpToDate: true, isClosed }),
  });

const answerPage = async (
  { readable, request, epoch }: ReadContext,
  position: number,
  tail: number,
  isEnding: boolean,
): Promise<Response> => {
  const chunks = await readable.read(position);
  const nextOffset = chunks.at(-1)?.offset ?? position;
  const isUpToDate = nextOffset >= tail;
  const isClosed = isEnding && isUpToDate;
  const etag = `"${readable.id}:${epoch}:${position}:${nextOffset}${isClosed ? ":closed" : ""}"`;
  const headers = {
    ...positionHeaders(nextOffset, epoch, { isUpToDate, isClosed }),
    etag,
    // The data is immutable, but permissions are not: they are checked each time.
    "cache-control": "private, no-cache",
  };
  if (matchesEtag(request.headers.get("if-none-match"), etag)) return bytesAnswer(null, 304, headers);
  return bytesAnswer(joinChunks(readable.contentType, chunks), 200, {
    "content-type": readable.contentType,
    ...headers,
  });
};

const answerLongPoll = async (reading: ReadContext, position: number, cursor: string | null): Promise<Response> => {
  const { readable, world, begin, epoch } = reading;
  const answer = async (chunks: readonly Chunk[]): Promise<Response> => {
    const nextOffset = chunks.at(-1)?.offset ?? position;
    const { tail, isClosed } = await readable.state(position);
    const isUpToDate = nextOffset >= tail;
    const headers = {
      ...positionHeaders(nextOffset, epoch, { isUpToDate, isClosed: isClosed && isUpToDate }),
      "stream-cursor": cursorAfter(cursor, world),
    };
    if (chunks.length === 0) return bytesAnswer(null, 204, headers);
    return bytesAnswer(joinChunks(readable.contentType, chunks), 200, {
      "content-type": readable.contentType,
      ...headers,
    });
  };
  const availableChunks = await readable.read(position);
  if (availableChunks.length > 0 || (await readable.state(position)).isClosed) return answer(availableChunks);
  const life = begin();
  world.clock.sleep(LONG_POLL_MS, life.signal).then(life.end, life.end);
  try {
    return await answer(await readable.next(position, life.signal));
  } finally {
    life.end();
  }
};

const matchesEtag = (ifNoneMatch: string | null, etag: string): boolean =>
  (ifNoneMatch ?? "").split(",").some((tag) => [etag, `W/${etag}`, "*"].includes(tag.trim()));

/**
 * Writers choose the content type, so a stream is served to programs only, never to a browser as a
 * page, script or style of this house.
 */
const checkDestination = (headers: Headers): void => {
  const destination = headers.get("sec-fetch-dest");
  if (destination === null || destination === "empty") return;
  throw new HearthError("auth.origin", "Streams are for programs. A browser cannot open one as a page.");
};
