/**
 * An in-memory server of the socket. Tests append to its streams, and cut, silence, refuse and
 * restart its connections.
 */
import type { AnyEvent, ErrorBody, Stored, StreamName } from "@hearth/protocol";
import { SocketFrame, SocketRequest } from "@hearth/protocol/api";
import type { FakeWorld } from "@hearth/protocol/world-fake";
import type { SocketEvents, SocketOptions } from "./socket.ts";
import { observe } from "./observe.ts";

export interface FakeWire {
  readonly connect: SocketOptions["connect"];
  append<Event extends AnyEvent>(stream: StreamName, event: Event): Stored<Event>;
  read(stream: StreamName): readonly Stored[];
  /** Keeps only the last `count` events of an in-memory stream. */
  keepLast(stream: StreamName, count: number): void;
  /** Completes an in-memory stream. With `forgotten`, also drops its events. */
  end(stream: StreamName, kind?: "forgotten"): void;
  /** Ends the subscriptions of these streams. New ones are accepted unless the stream is denied. */
  close(...streams: readonly StreamName[]): void;
  /** Closes all connections with `code`. */
  cut(code?: number): void;
  /** Silences all connections: no data arrives on either side, and neither side is notified. */
  silence(): void;
  /** Closes all connections as `cut` does, and drops all in-memory streams. */
  restart(): void;
  /**
   * Closes all connections as `cut` does. The stream keeps only its first `count` events, as after
   * a restore from a backup.
   */
  restoreTo(stream: StreamName, count: number): void;
  /** Cuts each connection after a number of frames. The function returns the number for one connection. */
  cutAfter(frames: (() => number) | undefined): void;
  /** Refuses new connections. With a code, closes them after they open; without a code, before they open. */
  refuse(code: number | undefined): void;
  /** Answers subscriptions of this stream with an error. */
  deny(stream: StreamName, error: ErrorBody | undefined): void;
  /** Sends this text unchanged on every connection. */
  sendRaw(text: string): void;
  /** All requests so far, in order. */
  readonly requests: SocketRequest[];
  /** How many connections were started. */
  dialed(): number;
  /** How many connections are open on both sides. */
  open(): number;
  /** Largest number of events in a frame. */
  setBatch(size: number): void;
}

interface ServerConnection {
  readonly events: SocketEvents;
  readonly positions: Map<StreamName, number>;
  framesLeft: number;
  isClosed: boolean;
  isSilent: boolean;
}

const NO_NETWORK = 1006;
const MAX_SUBSCRIPTIONS = 100;

export const createFakeWire = (world: Pick<FakeWorld, "ids">): FakeWire => {
  const streams = new Map<StreamName, Stored[]>();
  const ended = new Set<StreamName>();
  const denied = new Map<StreamName, ErrorBody>();
  const lines = new Set<ServerConnection>();
  const requests: SocketRequest[] = [];
  let dialed = 0;
  let batch = 100;
  let refusal: number | undefined;
  let frames: (() => number) | undefined;
  let isPumping = false;

  const later = (run: () => void): void => observe(Promise.resolve().then(run));
  const isInMemory = (stream: StreamName): boolean => /^(deltas|live):/.test(stream);
  const read = (stream: StreamName): Stored[] => streams.get(stream) ?? [];

  const close = (line: ServerConnection, code: number): void => {
    if (line.isClosed) return;
    line.isClosed = true;
    lines.delete(line);
    if (!line.isSilent) line.events.closed(code, "");
  };

  const send = (line: ServerConnection, frame: SocketFrame): void =>
    sendText(line, JSON.stringify(SocketFrame.parse(frame)));
  const sendText = (line: ServerConnection, text: string): void => {
    if (line.isClosed || line.isSilent) return;
    if (line.framesLeft <= 0) return close(line, NO_NETWORK);
    line.framesLeft -= 1;
    line.events.message(text);
  };

  const pump = (): void => {
    isPumping = false;
    for (const line of lines) {
      for (const [stream, position] of line.positions) {
        const rest = read(stream).filter(({ offset }) => offset > position);
        while (rest.length > 0) {
          const events = rest.splice(0, batch);
          const next = events.at(-1)?.offset ?? 0;
          line.positions.set(stream, next);
          send(line, { type: "events", stream, events: events as never, next });
        }
        if (!ended.has(stream)) continue;
        line.positions.delete(stream);
        send(line, { type: "ended", stream });
      }
    }
  };
  const pumpLater = (): void => {
    if (isPumping) return;
    isPumping = true;
    later(pump);
  };

  const subscribe = (line: ServerConnection, stream: StreamName, after: number, id: number): void => {
    const error = denied.get(stream) ?? refusalOf(line, stream);
    if (error !== undefined) return send(line, { type: "error", id, error });
    const isBehind = (read(stream).at(-1)?.offset ?? 0) < after;
    send(line, { type: "answer", id, result: null });
    if (isBehind) send(line, { type: "restarted", stream });
    line.positions.set(stream, isBehind ? 0 : after);
    pump();
  };
  const refusalOf = (line: ServerConnection, stream: StreamName): ErrorBody | undefined =>
    line.positions.has(stream) || line.positions.size >= MAX_SUBSCRIPTIONS
      ? { code: "request.invalid", message: "subscribed already, or to too much" }
      : undefined;

  const take = (line: ServerConnection, request: SocketRequest): void => {
    switch (request.op) {
      case "subscribe":
        return subscribe(line, request.stream, request.after, request.id);
      case "unsubscribe":
        line.positions.delete(request.stream);
        return send(line, { type: "answer", id: request.id, result: null });
      default:
        return send(line, { type: "answer", id: request.id, result: null });
    }
  };

  const cut = (code = NO_NETWORK): void => {
    for (const line of [...lines]) close(line, code);
  };

  return {
    connect(events) {
      dialed += 1;
      const line: ServerConnection = {
        events,
        positions: new Map(),
        framesLeft: frames?.() ?? Infinity,
        isClosed: false,
        isSilent: false,
      };
      lines.add(line);
      const refused = refusal;
      let isClosed = false;
      later(() => {
        if (refused === NO_NETWORK) return close(line, refused);
        if (line.isClosed || line.isSilent) return;
        events.open();
        if (refused !== undefined) close(line, refused);
      });
      return {
        send(text) {
          if (isClosed) throw new Error("sent on a line that its reader has closed");
          const request = SocketRequest.parse(JSON.parse(text));
          requests.push(request);
          later(() => {
            if (!line.isClosed && !line.isSilent) take(line, request);
          });
        },
        close() {
          isClosed = true;
          line.isClosed = true;
          lines.delete(line);
          // A platform may still deliver frames that were in flight.
          later(() => {
            events.open();
            for (const stream of line.positions.keys()) events.message(JSON.stringify({ type: "ended", stream }));
            events.closed(1000, "");
          });
        },
      };
    },
    append(stream, event) {
      const events = streams.get(stream) ?? [];
      streams.set(stream, events);
      const stored = { ...event, id: world.ids.fresh("evt"), offset: (events.at(-1)?.offset ?? 0) + 1 };
      events.push(stored as Stored);
      pumpLater();
      return stored as Stored<typeof event>;
    },
    read,
    keepLast: (stream, count) => {
      streams.set(stream, read(stream).slice(-count));
    },
    end(stream, kind) {
      ended.add(stream);
      if (kind === "forgotten") streams.delete(stream);
      pumpLater();
    },
    close(...closed) {
      for (const line of [...lines])
        for (const stream of closed) if (line.positions.delete(stream)) send(line, { type: "ended", stream });
    },
    cut,
    silence() {
      for (const line of lines) line.isSilent = true;
    },
    restart() {
      for (const stream of [...streams.keys()]) if (isInMemory(stream)) streams.delete(stream);
      cut(1001);
    },
    restoreTo(stream, count) {
      streams.set(stream, read(stream).slice(0, count));
      cut(1001);
    },
    cutAfter: (next) => {
      frames = next;
    },
    refuse: (code) => {
      refusal = code;
    },
    deny: (stream, error) => {
      if (error === undefined) denied.delete(stream);
      else denied.set(stream, error);
    },
    sendRaw(text) {
      for (const line of [...lines]) sendText(line, text);
    },
    requests,
    dialed: () => dialed,
    open: () => lines.size,
    setBatch: (size) => {
      batch = size;
    },
  };
};
