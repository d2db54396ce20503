/** Follows one stream of a house over server-sent events, across cuts, restarts of the daemon and a machine that slept. */
import { type Clock, HearthError, type StoredEvent, isHearthError } from "@hearth/protocol";
import { createParser } from "eventsource-parser";
import { type Connection, type Schema, request, unreachable } from "./request.ts";

export interface Following {
  /** The offset of the last event that the reader has; 0 for all. */
  readonly after?: number;
  readonly signal: AbortSignal;
}

/** What a follower meets, in order. After `end` and `failed` nothing follows; nothing is thrown. */
export type StreamItem<Event> =
  /** The house answered; at first and after each `lost`. */
  | { readonly kind: "open" }
  | { readonly kind: "event"; readonly event: Event }
  /** The connection is gone; the follower tries until it is back or its signal aborts. Said once per outage. */
  | { readonly kind: "lost"; readonly error: HearthError }
  /**
   * An in-memory stream began anew, or the house was brought back from a backup in which the stream had not come so far: what was told of it
   * is gone, and it is told from offset 1.
   */
  | { readonly kind: "restarted" }
  /** An in-memory stream is complete. */
  | { readonly kind: "end" }
  /** The house refuses: asking again would not help. */
  | { readonly kind: "failed"; readonly error: HearthError };

export interface FollowOptions {
  readonly connection: Connection;
  readonly sleep: Clock["sleep"];
  /**
   * The stream is in memory and may begin anew between two connections, with other events under the same offsets.
   * So a later connection asks for the last event again: if it is another one, everything is.
   */
  readonly inMemory?: boolean;
  /** Without a byte for this long the connection counts as cut: a machine that slept gets no other sign of it. */
  readonly quietMs?: number;
}

/** Three times what the house leaves between two signs of life. */
const QUIET_MS = 45_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Yields every event after `after` once, in order, until the stream ends or `signal` aborts.
 * An event of a type that this client does not know is passed over: a newer house may write some.
 */
export async function* follow<Event extends StoredEvent>(
  options: FollowOptions,
  path: string,
  schema: Schema<Event>,
  following: Following,
): AsyncGenerator<StreamItem<Event>, void, undefined> {
  const { connection, sleep, inMemory = false, quietMs = QUIET_MS } = options;
  const { signal } = following;
  let after = following.after ?? 0;
  /** The last event, once there is one, where it must be looked for again. */
  let last: string | undefined;
  /** What the offset belongs to, as the house said. */
  let epoch: string | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let lost = false;
  connecting: while (!signal.aborted) {
    try {
      let expected = inMemory ? last : undefined;
      const from = expected === undefined ? after : after - 1;
      for await (const message of readMessages({ connection, sleep, quietMs }, path, { after: from, epoch }, signal)) {
        if (message.kind === "open") {
          lost = false;
          yield message;
          continue;
        }
        pauseMs = FIRST_PAUSE_MS;
        if (message.event === "end") return yield { kind: "end" };
        if (message.event === "restarted") {
          after = 0;
          epoch = undefined;
          expected = undefined;
          yield { kind: "restarted" };
          continue;
        }
        if (expected !== undefined && `${message.id} ${message.data}` !== expected) {
          after = 0;
          last = undefined;
          yield { kind: "restarted" };
          continue connecting;
        }
        expected = undefined;
        const [offsetText = "", theirs] = (message.id ?? "").split("-", 2);
        const offset = offsetText === "" ? Number.NaN : Number(offsetText);
        if (!(offset > after)) continue;
        after = offset;
        epoch = theirs;
        last = `${message.id} ${message.data}`;
        const event = schema.safeParse(JSON.parse(message.data));
        if (event.success) yield { kind: "event", event: event.data };
      }
      throw unreachable(connection, undefined);
    } catch (error) {
      if (signal.aborted) return;
      const failure = isHearthError(error) ? error : unreachable(connection, error);
      if (!isPassing(failure)) return yield { kind: "failed", error: failure };
      if (!lost) yield { kind: "lost", error: failure };
      lost = true;
    }
    await sleep(pauseMs, signal);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

const PASSING: ReadonlySet<string> = new Set([
  "house.unreachable",
  "house.closing",
  "house.bug",
  "store.unavailable",
  "store.locked",
]);

const isPassing = (error: HearthError): boolean => PASSING.has(error.code);

type Message =
  | { readonly kind: "open" }
  | {
      readonly kind: "message";
      readonly event: string | undefined;
      readonly id: string | undefined;
      readonly data: string;
    };

type ReadOptions = Required<Omit<FollowOptions, "inMemory">>;

/** One connection's worth. Ends or throws when it is cut. */
async function* readMessages(
  options: ReadOptions,
  path: string,
  from: { readonly after: number; readonly epoch: string | undefined },
  signal: AbortSignal,
): AsyncGenerator<Message, void, undefined> {
  const cut = new AbortController();
  const onAbort = (): void => cut.abort();
  signal.addEventListener("abort", onAbort);
  try {
    const response = await request(options.connection, "GET", path, {
      query: { after: from.after, ...(from.epoch === undefined ? {} : { epoch: from.epoch }) },
      accept: "text/event-stream",
      signal: cut.signal,
    });
    if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true || response.body === null) {
      throw new HearthError(
        "house.incompatible",
        `${path} at ${options.connection.baseUrl} is not answered as a stream.`,
      );
    }
    yield { kind: "open" };
    const queue: Message[] = [];
    const parser = createParser({
      onEvent: ({ event, id, data }) => queue.push({ kind: "message", event, id, data }),
    });
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const chunk = await within(options, cut, reader.read());
      if (chunk.done) return;
      parser.feed(decoder.decode(chunk.value, { stream: true }));
      yield* queue.splice(0);
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    cut.abort();
  }
}

/** The promise's value, unless it stays quiet for too long: then the connection is cut, which rejects the promise. */
const within = async <Value>(options: ReadOptions, cut: AbortController, promise: Promise<Value>): Promise<Value> => {
  const arrived = new AbortController();
  void options.sleep(options.quietMs, arrived.signal).then(() => {
    if (!arrived.signal.aborted) cut.abort();
  });
  try {
    return await promise;
  } finally {
    arrived.abort();
  }
};
