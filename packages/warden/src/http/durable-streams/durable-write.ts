/** Creates, appends to, closes and removes callers' streams under `/v1/stream/`. */
import type { Address, ByteStreamInfo, ByteStreams } from "../../kernel/index.ts";
import { isJson, MAX_BYTE_STREAMS, MAX_FORK_DEPTH, MAX_PRODUCERS } from "../../kernel/lazy.ts";
import { checkJson, HearthError, type World } from "@hearth/protocol";
import { bytesAnswer, errorAnswer } from "../answer.ts";
import { readBody } from "../body.ts";
import type { Caller } from "../http.ts";
import {
  lifespanHeaders,
  positionHeaders,
  readFork,
  readLifespan,
  readProducer,
  readSeq,
  saysClosed,
} from "./durable-headers.ts";
import { pathInHouse } from "./durable-path.ts";
import { streamNotFoundError, streamGoneError } from "./durable-readable.ts";

export interface WriteContext {
  readonly bytes: ByteStreams;
  readonly world: World;
  readonly address: Address;
  readonly request: Request;
  readonly epoch: string;
}

export const makeStream = async (
  { bytes, world, address, request, epoch }: WriteContext,
  { principal: { agent: owner }, origin }: Caller,
): Promise<Response> => {
  const { headers } = request;
  const contentType = headers.get("content-type") ?? undefined;
  const forkRequest = readFork(headers, epoch);
  const lifespan = readLifespan(headers);
  const content = await readContent(request, world);
  const fork = forkRequest === undefined ? undefined : toFork(forkRequest, address);
  const result = await bytes.create(address, {
    owner,
    ...(contentType === undefined ? {} : { contentType }),
    ...lifespan,
    isClosed: saysClosed(headers),
    content,
    ...(fork === undefined ? {} : { fork }),
  });
  switch (result.kind) {
    case "created":
      return bytesAnswer(null, 201, {
        ...toInfoHeaders(result.info, epoch),
        location: withOrigin(request.url, origin),
      });
    case "known":
      return bytesAnswer(null, 200, toInfoHeaders(result.info, epoch));
    case "differs":
      throw new HearthError("stream.differs", "A stream with another configuration exists at this path.", {
        hint: "Use the same type, expiry and end, or another path.",
      });
    case "no-source":
      throw streamNotFoundError();
    case "unfit-source":
      throw new HearthError("stream.differs", "The stream to fork from is gone, or of another type.");
    case "no-such-point":
      throw new HearthError("request.invalid", "The stream to fork from has no such offset.", {
        hint: `Use an offset that the house returned. Forks can be nested at most ${MAX_FORK_DEPTH} deep.`,
      });
    case "full":
      throw new HearthError("stream.limit", `The house has ${MAX_BYTE_STREAMS} streams, which is the maximum.`, {
        hint: "Remove some streams, or give them a Stream-TTL.",
      });
  }
};

export const appendToStream = async ({ bytes, world, address, request, epoch }: WriteContext): Promise<Response> => {
  const { headers } = request;
  const producer = readProducer(headers);
  const seq = readSeq(headers);
  const closes = saysClosed(headers);
  const contentType = headers.get("content-type") ?? undefined;
  const content = await readContent(request, world);
  if (content.length > 0 && contentType === undefined)
    throw new HearthError("request.invalid", "A request with a body needs a Content-Type.");
  const result = await bytes.append(address, {
    bytes: content,
    ...(contentType === undefined ? {} : { contentType }),
    ...(seq === undefined ? {} : { seq }),
    ...(producer === undefined ? {} : { producer }),
    closes,
  });
  switch (result.kind) {
    case "appended": {
      const { info, isNew, producer: lastAppend } = result;
      if (!isNew) await bytes.touch(info);
      return bytesAnswer(null, lastAppend !== undefined && isNew && content.length > 0 ? 200 : 204, {
        ...positionHeaders(info.tail, epoch, { isClosed: info.isClosed }),
        ...(lastAppend === undefined
          ? {}
          : { "producer-epoch": String(lastAppend.epoch), "producer-seq": String(lastAppend.seq) }),
      });
    }
    case "absent":
      throw streamNotFoundError();
    case "gone":
      throw streamGoneError();
    case "closed":
      return errorAnswer(
        new HearthError("stream.closed", "The stream is closed."),
        positionHeaders(result.info.tail, epoch, { isClosed: true }),
      );
    case "type-differs":
      throw new HearthError("stream.differs", "The stream is of another type.");
    case "seq-behind":
      throw new HearthError("stream.sequence", "Stream-Seq is not greater than the previous one.");
    case "fenced":
      return errorAnswer(new HearthError("stream.fenced", "A later epoch of this producer has written."), {
        "producer-epoch": String(result.epoch),
      });
    case "gap":
      return errorAnswer(new HearthError("stream.sequence", "An earlier append of this producer is missing."), {
        "producer-expected-seq": String(result.expected),
        "producer-received-seq": String(result.received),
      });
    case "late-start":
      throw new HearthError("request.invalid", "A new epoch of a producer must begin with Producer-Seq: 0.");
    case "too-many-producers":
      throw new HearthError("stream.limit", `A stream has at most ${MAX_PRODUCERS} producers.`);
  }
};

export const removeStream = async (bytes: ByteStreams, address: Address): Promise<Response> => {
  switch (await bytes.remove(address)) {
    case "removed":
      return bytesAnswer(null, 204, {});
    case "absent":
      throw streamNotFoundError();
    case "gone":
      throw streamGoneError();
  }
};

const toFork = ({ from, ...forkPoint }: NonNullable<ReturnType<typeof readFork>>, { house }: Address) => ({
  path: pathInHouse(from, house),
  ...forkPoint,
});

const readContent = async (request: Request, world: World): Promise<Uint8Array> => {
  const content = await readBody(request, world.clock);
  // Invalid JSON is reported when it is parsed.
  if (content.length > 0 && isJson(request.headers.get("content-type") ?? ""))
    checkJson(new TextDecoder().decode(content));
  return content;
};

const toInfoHeaders = (info: ByteStreamInfo, epoch: string): Record<string, string> => ({
  "content-type": info.contentType,
  ...positionHeaders(info.tail, epoch, { isClosed: info.isClosed }),
  ...lifespanHeaders(info),
});

/** Returns the URL of the request as its client wrote it. A proxy may have requested another URL. */
const withOrigin = (url: string, origin: string): string => {
  const { pathname, search } = new URL(url);
  return `${origin}${pathname}${search}`;
};
