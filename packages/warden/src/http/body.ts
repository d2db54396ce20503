/** Reads a request's body as well-formed text of one type, with limits on size and time. */
import { type Clock, HearthError, isHearthError } from "@hearth/protocol";
import { MAX_BODY_SIZE } from "@hearth/protocol/api";

export interface BodyLimits {
  /** In bytes. */
  readonly maxSize: number;
  /** Time limit for the whole body. */
  readonly timeoutMs: number;
}

const ANY_BODY: BodyLimits = { maxSize: MAX_BODY_SIZE, timeoutMs: 30_000 };

const decoder = new TextDecoder("utf-8", { fatal: true });

export const readText = async (
  request: Request,
  type: string,
  clock: Clock,
  limits: BodyLimits = ANY_BODY,
): Promise<string> => {
  const { headers } = request;
  const mediaType = headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType !== type || headers.has("content-encoding")) {
    throw new HearthError("request.unsupported", `The body must be ${type}, uncompressed.`, {
      hint: `Send Content-Type: ${type}`,
    });
  }
  const bytes = await readBody(request, clock, limits);
  try {
    return decoder.decode(bytes);
  } catch {
    throw new HearthError("request.invalid", "The body is not valid UTF-8.");
  }
};

/** Reads bytes of any type. */
export const readBody = async (request: Request, clock: Clock, limits = ANY_BODY): Promise<Uint8Array> => {
  if (Number(request.headers.get("content-length") ?? 0) > limits.maxSize) throw tooLargeError(limits);
  return readInTime(request, clock, limits);
};

const readBytes = async (request: Request, limits: BodyLimits): Promise<Uint8Array> => {
  // With a checked length, the platform reads no more than that.
  const { headers } = request;
  if (request.body === null || (headers.has("content-length") && !headers.has("transfer-encoding")))
    return request.bytes();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.length;
    if (size > limits.maxSize) throw tooLargeError(limits);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
};

/** Reads the body unless it exceeds the time limit or the sender disconnects. */
const readInTime = async (request: Request, clock: Clock, limits: BodyLimits): Promise<Uint8Array> => {
  const controller = new AbortController();
  try {
    const bytes = await Promise.race([readBytes(request, limits), clock.sleep(limits.timeoutMs, controller.signal)]);
    if (bytes instanceof Uint8Array) return bytes;
  } catch (error) {
    if (isHearthError(error)) throw error;
    throw new HearthError("request.invalid", "The body is incomplete: the connection was closed.", { cause: error });
  } finally {
    controller.abort();
  }
  throw new HearthError("request.timeout", "The body did not arrive in time.");
};

const tooLargeError = ({ maxSize }: BodyLimits): HearthError =>
  new HearthError("request.too-large", `The body is larger than ${maxSize} bytes.`);
