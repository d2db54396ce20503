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
  const endedStreams = new Set<StreamName>();
  const deniedStreams = new Map<StreamName, ErrorBody>();
  const connections = new Set<ServerConnection>();
  const requests: SocketRequest[] = [];
  let dialCount = 0;
  let batchSize = 100;
  let refusal: number | undefined;
  let framesPerConnection: (() => number) | undefined;
  let isDeliveryScheduled = false;

  const runLater = (run: () => void): void => observe(Promise.resolve().then(run));
  const isInMemory = (stream: StreamName): boolean => /^(deltas|live):/.test(stream);
  const read = (stream: StreamName): Stored[] => streams.get(stream) ?? [];

  const close = (connection: ServerConnection, code: number): void => {
    if (connection.isClosed) return;
    connection.isClosed = true;
    connections.delete(connection);
    if (!connection.isSilent) connection.events.closed(code, "");
  };

  const send = (connection: ServerConnection, frame: SocketFrame): void =>
    sendText(connection, JSON.stringify(SocketFrame.parse(frame)));
  const sendText = (connection: ServerConnection, text: string): void => {
    if (connection.isClosed || connection.isSilent) return;
    if (connection.framesLeft <= 0) return close(connection, NO_NETWORK);
    connection.framesLeft -= 1;
    connection.events.message(text);
  };

  const deliverEvents = (): void => {
    isDeliveryScheduled = false;
    for (const connection of connections) {
      for (const [stream, position] of connection.positions) {
        const undelivered = read(stream).filter(({ offset }) => offset > position);
        while (undelivered.length > 0) {
          const events = undelivered.splice(0, batchSize);
          const lastOffset = events.at(-1)?.offset ?? 0;
          connection.positions.set(stream, lastOffset);
          send(connection, { type: "events", stream, events: events as never, next: lastOffset });
        }
        if (!endedStreams.has(stream)) continue;
        connection.positions.delete(stream);
        send(connection, { type: "ended", stream });
      }
    }
  };
  const scheduleDelivery = (): void => {
    if (isDeliveryScheduled) return;
    isDeliveryScheduled = true;
    runLater(deliverEvents);
  };

  const subscribe = (connection: ServerConnection, stream: StreamName, after: number, id: number): void => {
    const error = deniedStreams.get(stream) ?? refusalOf(connection, stream);
    if (error !== undefined) return send(connection, { type: "error", id, error });
    const isBehind = (read(stream).at(-1)?.offset ?? 0) < after;
    send(connection, { type: "answer", id, result: null });
    if (isBehind) send(connection, { type: "restarted", stream });
    connection.positions.set(stream, isBehind ? 0 : after);
    deliverEvents();
  };
  const refusalOf = (connection: ServerConnection, stream: StreamName): ErrorBody | undefined =>
    connection.positions.has(stream) || connection.positions.size >= MAX_SUBSCRIPTIONS
      ? { code: "request.invalid", message: "subscribed already, or to too much" }
      : undefined;

  const answerRequest = (connection: ServerConnection, request: SocketRequest): void => {
    switch (request.op) {
      case "subscribe":
        return subscribe(connection, request.stream, request.after, request.id);
      case "unsubscribe":
        connection.positions.delete(request.stream);
        return send(connection, { type: "answer", id: request.id, result: null });
      default:
        return send(connection, { type: "answer", id: request.id, result: null });
    }
  };

  const cut = (code = NO_NETWORK): void => {
    for (const connection of [...connections]) close(connection, code);
  };

  return {
    connect(events) {
      dialCount += 1;
      const connection: ServerConnection = {
        events,
        positions: new Map(),
        framesLeft: framesPerConnection?.() ?? Infinity,
        isClosed: false,
        isSilent: false,
      };
      connections.add(connection);
      const connectionRefusal = refusal;
      let isClosed = false;
      runLater(() => {
        if (connectionRefusal === NO_NETWORK) return close(connection, connectionRefusal);
        if (connection.isClosed || connection.isSilent) return;
        events.open();
        if (connectionRefusal !== undefined) close(connection, connectionRefusal);
      });
      return {
        send(text) {
          if (isClosed) throw new Error("sent on a line that its reader has closed");
          const request = SocketRequest.parse(JSON.parse(text));
          requests.push(request);
          runLater(() => {
            if (!connection.isClosed && !connection.isSilent) answerRequest(connection, request);
          });
        },
        close() {
          isClosed = true;
          connection.isClosed = true;
          connections.delete(connection);
          // A platform may still deliver frames that were in flight.
          runLater(() => {
            events.open();
            for (const stream of connection.positions.keys()) events.message(JSON.stringify({ type: "ended", stream }));
            events.closed(1000, "");
          });
        },
      };
    },
    append(stream, event) {
      const events = streams.get(stream) ?? [];
      streams.set(stream, events);
      const storedEvent = { ...event, id: world.ids.fresh("evt"), offset: (events.at(-1)?.offset ?? 0) + 1 };
      events.push(storedEvent as Stored);
      scheduleDelivery();
      return storedEvent as Stored<typeof event>;
    },
    read,
    keepLast: (stream, count) => {
      streams.set(stream, read(stream).slice(-count));
    },
    end(stream, kind) {
      endedStreams.add(stream);
      if (kind === "forgotten") streams.delete(stream);
      scheduleDelivery();
    },
    close(...closedStreams) {
      for (const connection of [...connections])
        for (const stream of closedStreams)
          if (connection.positions.delete(stream)) send(connection, { type: "ended", stream });
    },
    cut,
    silence() {
      for (const connection of connections) connection.isSilent = true;
    },
    restart() {
      for (const stream of [...streams.keys()]) if (isInMemory(stream)) streams.delete(stream);
      cut(1001);
    },
    restoreTo(stream, count) {
      streams.set(stream, read(stream).slice(0, count));
      cut(1001);
    },
    cutAfter: (count) => {
      framesPerConnection = count;
    },
    refuse: (code) => {
      refusal = code;
    },
    deny: (stream, error) => {
      if (error === undefined) deniedStreams.delete(stream);
      else deniedStreams.set(stream, error);
    },
    sendRaw(text) {
      for (const connection of [...connections]) sendText(connection, text);
    },
    requests,
    dialed: () => dialCount,
    open: () => connections.size,
    setBatch: (size) => {
      batchSize = size;
    },
  };
};
