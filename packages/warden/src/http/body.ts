/** The body of a request as text that is safe to parse: of one type, bounded while it is read, well formed, not deep. */
import { type Clock, HearthError, isHearthError, MAX_BODY_SIZE, MAX_JSON_DEPTH } from "@hearth/protocol";

/** Slowest that a body may arrive. */
const BODY_TIMEOUT_MS = 30_000;

const decoder = new TextDecoder("utf-8", { fatal: true });

export const readText = async (request: Request, type: string, clock: Clock): Promise<string> => {
  const { headers } = request;
  const given = headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (given !== type || headers.has("content-encoding")) {
    throw new HearthError("request.unsupported", `The body must be ${type}, uncompressed.`, {
      hint: `Send Content-Type: ${type}`,
    });
  }
  if (Number(headers.get("content-length") ?? 0) > MAX_BODY_SIZE) throw tooLarge();
  const bytes = await readInTime(request, clock);
  try {
    return decoder.decode(bytes);
  } catch {
    throw new HearthError("request.invalid", "The body is not valid UTF-8.");
  }
};

/** Throws if a parser would have to build something very deep, or text that no database keeps. */
export const checkJson = (text: string): void => {
  checkDepth(text);
  if (SURROGATE.test(text) && SURROGATE.test(JSON.stringify(parse(text)))) {
    throw new HearthError("request.invalid", "The JSON holds half of a surrogate pair, which is not text.");
  }
};

/** An escape of a surrogate. What is written by `JSON.stringify` has them for lone ones alone. */
const SURROGATE = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]/;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new HearthError("request.invalid", "The body is not valid JSON.");
  }
};

const checkDepth = (text: string): void => {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth += 1;
        if (depth > MAX_JSON_DEPTH) {
          throw new HearthError("request.invalid", `The JSON is nested deeper than ${MAX_JSON_DEPTH} levels.`);
        }
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
    }
  }
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The index of the closing quote, or of the end when there is none. */
const endOfString = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at;
  }
  return text.length;
};

const readBytes = async (request: Request): Promise<Uint8Array> => {
  // With a length that was checked, the platform reads no more than that.
  const { headers } = request;
  if (request.body === null || (headers.has("content-length") && !headers.has("transfer-encoding")))
    return request.bytes();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.length;
    if (size > MAX_BODY_SIZE) throw tooLarge();
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
};

/** Reads the body, unless it takes too long or its sender goes away. */
const readInTime = async (request: Request, clock: Clock): Promise<Uint8Array> => {
  const over = new AbortController();
  try {
    const bytes = await Promise.race([readBytes(request), clock.sleep(BODY_TIMEOUT_MS, over.signal)]);
    if (bytes instanceof Uint8Array) return bytes;
  } catch (error) {
    if (isHearthError(error)) throw error;
    throw new HearthError("request.invalid", "The body broke off.", { cause: error });
  } finally {
    over.abort();
  }
  throw new HearthError("request.timeout", "The body did not arrive in time.");
};

const tooLarge = (): HearthError =>
  new HearthError("request.too-large", `The body is larger than ${MAX_BODY_SIZE} bytes.`);
