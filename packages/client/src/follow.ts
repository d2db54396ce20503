/**
 * Follows one stream of a house over server-sent events. It continues after a lost connection, a
 * restart of the daemon, and a suspension of the machine.
 */
import { type Clock, HearthError, type StoredEvent, isHearthError } from "@hearth/protocol";
import { createParser } from "eventsource-parser";
import { type Connection, type Schema, request, unreachableError } from "./request.ts";
import { isTransientForStream } from "./transient.ts";
import { observe } from "./observe.ts";

export interface FollowRequest {
  /** The offset of the last event that the reader has. 0 reads all events. */
  readonly after?: number;
  readonly signal: AbortSignal;
}

/**
 * The items of a follower, in order. `end` and `failed` are the last items. Followers never throw.
 */
export type StreamItem<Event> =
  /** The house has answered. Sent once at the start and once after each `lost`. */
  | { readonly kind: "open" }
  | { readonly kind: "event"; readonly event: Event }
  /**
   * The connection is lost. The follower retries until it is back or the signal aborts. Sent once
   * per outage.
   */
  | { readonly kind: "lost"; readonly error: HearthError }
  /**
   * An in-memory stream has restarted, or the house was restored from a backup with fewer events of
   * this stream. All events so far are invalid. The stream is sent again from offset 1.
   */
  | { readonly kind: "restarted" }
  /** An in-memory stream is complete. */
  | { readonly kind: "end" }
  /** The house refuses the stream permanently. */
  | { readonly kind: "failed"; readonly error: HearthError };

export interface FollowOptions {
  readonly connection: Connection;
  readonly sleep: Clock["sleep"];
  /**
   * Whether the stream is only in memory. Such a stream may restart between two connections, with
   * other events under the same offsets. Each later connection therefore requests the last event
   * again. If the event differs, the follower starts again.
   */
  readonly isInMemory?: boolean;
}

/**
 * A connection without a byte for this time counts as lost. After a suspension there is no other
 * sign. It is three times the interval of the house's keep-alives.
 */
export const MAX_SILENCE_MS = 45_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Yields every event after `after` once, in order, until the stream ends or `signal` aborts.
 * Skips events of unknown types, which a newer house may send.
 */
export async function* follow<Event extends StoredEvent>(
  options: FollowOptions,
  path: string,
  schema: Schema<Event>,
  followRequest: FollowRequest,
): AsyncGenerator<StreamItem<Event>, void, undefined> {
  const { connection, sleep, isInMemory = false } = options;
  const { signal } = followRequest;
  let after = followRequest.after ?? 0;
  /** The last event of an in-memory stream. The next connection compares the stream with it. */
  let lastMessage: string | undefined;
  /** The epoch of the offset, which the house reports. */
  let epoch: string | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let isLost = false;
  connecting: while (!signal.aborted) {
    try {
      let expectedMessage = isInMemory ? lastMessage : undefined;
      const startOffset = expectedMessage === undefined ? after : after - 1;
      for await (const message of readMessages({ connection, sleep }, path, { after: startOffset, epoch }, signal)) {
        if (message.kind === "open") {
          isLost = false;
          yield message;
          continue;
        }
        pauseMs = FIRST_PAUSE_MS;
        if (message.event === "end") return yield { kind: "end" };
        if (message.event === "restarted") {
          after = 0;
          epoch = undefined;
          expectedMessage = undefined;
          yield { kind: "restarted" };
          continue;
        }
        if (expectedMessage !== undefined && `${message.id} ${message.data}` !== expectedMessage) {
          after = 0;
          lastMessage = undefined;
          yield { kind: "restarted" };
          continue connecting;
        }
        expectedMessage = undefined;
        const [offsetText = "", messageEpoch] = (message.id ?? "").split("-", 2);
        const offset = offsetText === "" ? Number.NaN : Number(offsetText);
        if (!(offset > after)) continue;
        after = offset;
        epoch = messageEpoch;
        lastMessage = `${message.id} ${message.data}`;
        const event = schema.safeParse(JSON.parse(message.data));
        if (event.success) yield { kind: "event", event: event.data };
      }
      throw unreachableError(connection, undefined);
    } catch (error) {
      if (signal.aborted) return;
      const failure = isHearthError(error) ? error : unreachableError(connection, error);
      if (!isTransientForStream(failure)) return yield { kind: "failed", error: failure };
      if (!isLost) yield { kind: "lost", error: failure };
      isLost = true;
    }
    await sleep(pauseMs, signal);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

type SseMessage =
  | { readonly kind: "open" }
  | {
      readonly kind: "message";
      readonly event: string | undefined;
      readonly id: string | undefined;
      readonly data: string;
    };

interface ConnectionOptions {
  readonly connection: Connection;
  readonly sleep: Clock["sleep"];
}

/** Reads one connection. Ends or throws when the connection is lost. */
async function* readMessages(
  options: ConnectionOptions,
  path: string,
  position: { readonly after: number; readonly epoch: string | undefined },
  signal: AbortSignal,
): AsyncGenerator<SseMessage, void, undefined> {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort();
  signal.addEventListener("abort", onAbort);
  try {
    const response = await request(options.connection, "GET", path, {
      query: { after: position.after, ...(position.epoch === undefined ? {} : { epoch: position.epoch }) },
      accept: "text/event-stream",
      signal: controller.signal,
    });
    if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true || response.body === null) {
      throw new HearthError(
        "house.incompatible",
        `${options.connection.baseUrl} did not answer ${path} with a stream.`,
      );
    }
    yield { kind: "open" };
    const queue: SseMessage[] = [];
    const parser = createParser({
      onEvent: ({ event, id, data }) => queue.push({ kind: "message", event, id, data }),
    });
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const chunk = await limitSilence(options, controller, reader.read());
      if (chunk.done) return;
      parser.feed(decoder.decode(chunk.value, { stream: true }));
      yield* queue.splice(0);
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    controller.abort();
  }
}

/**
 * Returns the promise's value. If it takes longer than `MAX_SILENCE_MS`, cuts the connection, which
 * rejects the promise.
 */
const limitSilence = async <Value>(
  options: ConnectionOptions,
  controller: AbortController,
  promise: Promise<Value>,
): Promise<Value> => {
  const arrival = new AbortController();
  observe(
    options.sleep(MAX_SILENCE_MS, arrival.signal).then(() => {
      if (!arrival.signal.aborted) controller.abort();
    }),
  );
  try {
    return await promise;
  } finally {
    arrival.abort();
  }
};
