/**
 * Encodes and decodes frames, for links that are byte pipes. See docs/protocol.md.
 *
 * frame = u32 length of body · u8 type · u32 stream · body, big endian, body at most 64 KiB.
 *
 * A control message is JSON in UTF-8. A longer one is split into `part` frames of one stream,
 * followed by a `control` frame. The other types are frames of byte streams, which are numbered
 * separately.
 */
import { MAX_STREAM_LABEL, type StreamFrame } from "./byte-stream.ts";
import { HearthError } from "../base/error.ts";

export const MAX_FRAME_BODY = 64 * 1024;
/** Larger messages break the link. */
export const MAX_MESSAGE_SIZE = 16 * 1024 * 1024;
const MAX_OPEN_STREAMS = 16;
const HEADER_BYTES = 9;

const CONTROL = 1;
const PART = 2;
const OPEN = 3;
const DATA = 4;
const CREDIT = 5;
const END = 6;
const RESET = 7;
/** The warden's check that the inmate's process responds, and the response. Neither has a body. */
const PING = 8;
const PONG = 9;

export type Ping = "ping" | "pong";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Encodes one control message. `stream` identifies its parts among those of other messages. */
export const encodeMessage = (message: unknown, stream: number): Uint8Array => {
  const body = encoder.encode(JSON.stringify(message));
  if (body.length > MAX_MESSAGE_SIZE) {
    throw new HearthError("cell.protocol", `A frame of ${body.length} bytes is over the limit of ${MAX_MESSAGE_SIZE}.`);
  }
  const count = Math.max(1, Math.ceil(body.length / MAX_FRAME_BODY));
  const bytes = new Uint8Array(body.length + count * HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  let offset = 0;
  for (let index = 0; index < count; index += 1) {
    const part = body.subarray(index * MAX_FRAME_BODY, (index + 1) * MAX_FRAME_BODY);
    view.setUint32(offset, part.length);
    view.setUint8(offset + 4, index === count - 1 ? CONTROL : PART);
    view.setUint32(offset + 5, stream);
    bytes.set(part, offset + HEADER_BYTES);
    offset += HEADER_BYTES + part.length;
  }
  return bytes;
};

export const encodeStreamFrame = (frame: StreamFrame): Uint8Array => {
  switch (frame.type) {
    case "open":
      return toBytes(OPEN, frame.stream, encoder.encode(frame.label));
    case "data":
      return toBytes(DATA, frame.stream, frame.bytes);
    case "credit": {
      const body = new Uint8Array(4);
      new DataView(body.buffer).setUint32(0, frame.size);
      return toBytes(CREDIT, frame.stream, body);
    }
    case "end":
      return toBytes(END, frame.stream, NO_BYTES);
    case "reset":
      return toBytes(RESET, frame.stream, NO_BYTES);
  }
};

export const encodePing = (kind: Ping): Uint8Array => toBytes(kind === "ping" ? PING : PONG, 0, NO_BYTES);

const NO_BYTES = new Uint8Array(0);

const toBytes = (type: number, stream: number, body: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(HEADER_BYTES + body.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, body.length);
  view.setUint8(4, type);
  view.setUint32(5, stream);
  bytes.set(body, HEADER_BYTES);
  return bytes;
};

/** Parses the frame of a stream. `body` is a view of a reused buffer, so data that is kept must be copied. */
const toStreamFrame = (type: number, stream: number, body: Uint8Array): StreamFrame => {
  switch (type) {
    case OPEN:
      if (body.length > MAX_STREAM_LABEL) throw brokenLinkError("the label of a stream is too long");
      return { type: "open", stream, label: toText(body) };
    case DATA:
      return { type: "data", stream, bytes: body.slice() };
    case CREDIT:
      if (body.length !== 4) throw brokenLinkError("a credit frame is not 4 bytes long");
      return { type: "credit", stream, size: new DataView(body.buffer, body.byteOffset).getUint32(0) };
    case END:
    case RESET:
      if (body.length > 0) throw brokenLinkError("an end or reset frame has a body");
      return { type: type === END ? "end" : "reset", stream };
    default:
      throw brokenLinkError(`frame type ${type} is unknown`);
  }
};

const toText = (body: Uint8Array): string => {
  try {
    return decoder.decode(body);
  } catch {
    throw brokenLinkError("the label of a stream is not text");
  }
};

const join = (chunks: readonly Uint8Array[]): Uint8Array => {
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  const bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
};

const brokenLinkError = (problem: string): HearthError =>
  new HearthError("cell.protocol", `The link is broken: ${problem}.`);

const refuseStreams = (): never => {
  throw brokenLinkError("byte streams are not supported here");
};

const refusePings = (): never => {
  throw brokenLinkError("pings are not supported here");
};

/**
 * Decodes bytes, in any chunking, into messages. Passes byte stream frames to `onStream` and pings
 * to `onPing`.
 *
 * Throws `cell.protocol` on bytes that violate the protocol. Memory use stays under
 * `MAX_MESSAGE_SIZE` plus one frame, whatever the other side sends.
 */
export const createDecoder = (
  onStream: (frame: StreamFrame) => void = refuseStreams,
  onPing: (kind: Ping) => void = refusePings,
): { push(bytes: Uint8Array): unknown[] } => {
  let pendingBytes = new Uint8Array(0);
  let partsSize = 0;
  const parts = new Map<number, Uint8Array[]>();

  const parse = (body: Uint8Array): unknown => {
    try {
      return JSON.parse(decoder.decode(body));
    } catch {
      throw brokenLinkError("a control frame is not JSON");
    }
  };

  const assemble = (type: number, stream: number, body: Uint8Array): unknown => {
    const earlierParts = parts.get(stream);
    if (type === PART) {
      partsSize += body.length;
      if (partsSize > MAX_MESSAGE_SIZE) throw brokenLinkError("a message is too large");
      if (earlierParts === undefined) {
        if (parts.size >= MAX_OPEN_STREAMS) throw brokenLinkError("too many streams are open");
        parts.set(stream, [body]);
      } else earlierParts.push(body);
      return undefined;
    }
    if (earlierParts === undefined) return parse(body);
    parts.delete(stream);
    for (const part of earlierParts) partsSize -= part.length;
    return parse(join([...earlierParts, body]));
  };

  return {
    push(bytes) {
      pendingBytes =
        pendingBytes.length === 0 ? new Uint8Array(bytes) : (join([pendingBytes, bytes]) as Uint8Array<ArrayBuffer>);
      const messages: unknown[] = [];
      let offset = 0;
      while (pendingBytes.length - offset >= HEADER_BYTES) {
        const view = new DataView(pendingBytes.buffer, pendingBytes.byteOffset + offset, HEADER_BYTES);
        const length = view.getUint32(0);
        const type = view.getUint8(4);
        if (length > MAX_FRAME_BODY) throw brokenLinkError("a frame is too large");
        if (type < CONTROL || type > PONG) throw brokenLinkError(`frame type ${type} is unknown`);
        if (pendingBytes.length - offset < HEADER_BYTES + length) break;
        const body = pendingBytes.subarray(offset + HEADER_BYTES, offset + HEADER_BYTES + length);
        if (type > RESET) {
          if (length > 0) throw brokenLinkError("a ping has a body");
          onPing(type === PING ? "ping" : "pong");
        } else if (type > PART) onStream(toStreamFrame(type, view.getUint32(5), body));
        else {
          const message = assemble(type, view.getUint32(5), body);
          if (message !== undefined) messages.push(message);
        }
        offset += HEADER_BYTES + length;
      }
      pendingBytes = pendingBytes.subarray(offset);
      return messages;
    },
  };
};
