/** Reads server-sent events strictly: refuses other streams, and drops an incomplete event. */
import { type Clock, HearthError } from "@hearth/protocol";

export interface ServerEvent {
  /** The event's name. Empty if the server sent none. */
  readonly event: string;
  readonly data: string;
}

export interface EventSource {
  readonly body: ReadableStream<Uint8Array>;
  readonly clock: Clock;
  /** Ends the reading at any point. */
  readonly signal: AbortSignal;
  /** Called for every complete line. A partial line counts as silence. */
  onLine(): void;
}

/** Maximum length of an event, in UTF-16 code units. */
const MAX_EVENT_LENGTH = 16 * 1024 * 1024;
/** Maximum size of an answer, which far exceeds what any model writes. */
const MAX_STREAM_BYTES = 64 * 1024 * 1024;
/**
 * Maximum time that the rest of the body takes to end after a reader has stopped, so that the
 * connection can be reused.
 */
const DRAIN_MS = 1_000;

/**
 * Returns the events of a body, in order. If the body ends inside an event, the event is dropped,
 * and the caller notices that the answer is incomplete. Throws `provider.malformed` if the body is
 * not an event stream, and `provider.truncated` if the connection breaks.
 */
export const readEvents = async function* ({ body, clock, signal, onLine }: EventSource): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const cancel = (): void => {
    reader.cancel().catch(() => undefined);
  };
  signal.addEventListener("abort", cancel, { once: true });
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const lines = createLineSplitter();
  let event = "";
  let data: string[] = [];
  let length = 0;
  let streamSize = 0;
  let isOpen = true;
  try {
    for (;;) {
      const chunk = await readChunk(reader);
      isOpen = chunk !== undefined;
      if (chunk === undefined) return;
      streamSize += chunk.length;
      if (streamSize > MAX_STREAM_BYTES) throw notAnEventStreamError("it is longer than 64 MiB");
      for (const line of lines.push(decode(decoder, chunk))) {
        onLine();
        if (line === "") {
          if (data.length > 0) yield { event, data: data.join("\n") };
          event = "";
          data = [];
          length = 0;
          continue;
        }
        const [field, value] = splitField(line);
        length += line.length;
        if (field === "data") data.push(value);
        else if (field === "event") event = value;
        else if (!IGNORED_FIELDS.has(field))
          throw notAnEventStreamError(`it begins a line with "${line.slice(0, 40)}"`);
      }
      if (length + lines.pending() > MAX_EVENT_LENGTH) throw notAnEventStreamError("one of its events is too long");
    }
  } finally {
    if (isOpen) drain(reader, clock, signal).catch(cancel);
    else signal.removeEventListener("abort", cancel);
  }
};

/** Comments have an empty name. */
const IGNORED_FIELDS: ReadonlySet<string> = new Set(["", "id", "retry"]);

const notAnEventStreamError = (why: string): HearthError =>
  new HearthError("provider.malformed", `The answer is not an event stream: ${why}.`);

const readChunk = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined> => {
  try {
    return (await reader.read()).value;
  } catch (cause) {
    throw new HearthError("provider.truncated", "The connection broke in the middle of the answer.", { cause });
  }
};

const decode = (decoder: TextDecoder, chunk: Uint8Array): string => {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw new HearthError("provider.malformed", "The answer is not UTF-8.", { cause });
  }
};

/** Splits a line into its field and value. One space after the colon belongs to the separator. */
const splitField = (line: string): readonly [string, string] => {
  const colon = line.indexOf(":");
  if (colon === -1) return [line, ""];
  return [line.slice(0, colon), line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1)];
};

/** Reads the rest of the body for a moment. An abort cancels the reader, which ends this too. */
const drain = async (
  reader: ReadableStreamDefaultReader<Uint8Array>,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> => {
  const controller = new AbortController();
  const readRest = async (): Promise<void> => {
    while (!signal.aborted && (await readChunk(reader)) !== undefined);
  };
  await Promise.race([readRest().catch(() => undefined), clock.sleep(DRAIN_MS, controller.signal)]);
  controller.abort();
  await reader.cancel().catch(() => undefined);
};

/** Lines end with LF, CR or CRLF, and a chunk may end between the two. */
const createLineSplitter = (): { push(text: string): readonly string[]; pending(): number } => {
  let pending: string[] = [];
  let pendingLength = 0;
  let afterReturn = false;
  return {
    push(text) {
      if (text === "") return [];
      const newText = afterReturn && text.startsWith("\n") ? text.slice(1) : text;
      afterReturn = text.endsWith("\r");
      const parts = newText.split(/\r\n|\n|\r/);
      const partialLine = parts.pop() ?? "";
      const firstPart = parts.shift();
      if (firstPart === undefined) {
        pending.push(partialLine);
        pendingLength += partialLine.length;
        return [];
      }
      const lines = [pending.join("") + firstPart, ...parts];
      pending = [partialLine];
      pendingLength = partialLine.length;
      return lines;
    },
    pending: () => pendingLength,
  };
};
