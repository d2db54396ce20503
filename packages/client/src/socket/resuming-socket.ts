/** Implements the socket: replaces lost connections, and resumes the streams on each new one. */
import { HearthError, type StreamName } from "@hearth/protocol";
import type { Socket, SocketOptions, SocketState } from "../socket.ts";
import { createFollower } from "./follower.ts";
import type { Frame } from "./frame.ts";
import { type Connection, createConnection } from "./connection.ts";
import { type Topic, createTopic } from "./topic.ts";
import { createListeners } from "../listeners.ts";
import { observe } from "../observe.ts";

/** Maximum number of streams that the house allows on one socket. */
export const MAX_STREAMS = 100;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** How long `reconnectNow` waits for data on an open connection. */
const PROBE_TIMEOUT_MS = 3_000;
/** Close code: the credential is no longer valid, or the client violated the protocol. */
const POLICY_VIOLATION = 1008;

export const createSocket = ({ connect, clock, random }: SocketOptions): Socket => {
  const topics = new Map<StreamName, Topic>();
  const listeners = createListeners();
  let state: SocketState = { kind: "connecting" };
  let connection: Connection | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  /** The number of consecutive connections that the house closed with `POLICY_VIOLATION`. */
  let refusals = 0;
  let pauseController: AbortController | undefined;

  const setState = (newState: SocketState): void => {
    state = newState;
    listeners.call();
  };

  const openConnection = (): void => {
    connection = createConnection({
      connect,
      clock,
      onOpen() {
        setState({ kind: "open" });
        for (const topic of [...topics.values()]) if (connection !== undefined) topic.attach(connection);
      },
      onFrame: handleFrame,
      onLost: handleLoss,
    });
    if (state.kind !== "connecting") setState({ kind: "connecting" });
  };

  const handleFrame = (frame: Exclude<Frame, { type: "answer" | "error" | "unknown" }>): void => {
    const topic = topics.get(frame.stream as StreamName);
    switch (frame.type) {
      case "events":
        pauseMs = FIRST_PAUSE_MS;
        refusals = 0;
        return topic?.handleEvents(frame.events);
      case "restarted":
        return topic?.handleRestart();
      case "ended":
        return topic?.handleEnd();
    }
  };

  const handleLoss = (code: number | undefined): void => {
    connection = undefined;
    refusals = code === POLICY_VIOLATION ? refusals + 1 : 0;
    const error = toError(code);
    for (const topic of [...topics.values()]) topic.detach(error);
    if (refusals >= 2) return setState({ kind: "refused", error });
    observe(reconnectLater());
  };

  /** Waits before the next attempt. The pause grows with each failure. */
  const reconnectLater = async (): Promise<void> => {
    const controller = new AbortController();
    pauseController = controller;
    const delayMs = Math.round((pauseMs / 2) * (1 + random()));
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    setState({ kind: "lost", retryAt: clock.now() + delayMs });
    await clock.sleep(delayMs, controller.signal);
    if (controller.signal.aborted) return;
    pauseController = undefined;
    if (topics.size > 0) return openConnection();
    setState({ kind: "connecting" });
  };

  const getTopic = (stream: StreamName): Topic | undefined => {
    const existingTopic = topics.get(stream);
    if (existingTopic !== undefined || topics.size >= MAX_STREAMS) return existingTopic;
    const topic = createTopic({
      stream,
      clock,
      onEmpty: () => {
        if (topics.get(stream) === topic) topics.delete(stream);
      },
    });
    topics.set(stream, topic);
    if (state.kind === "open" && connection !== undefined) topic.attach(connection);
    return topic;
  };

  return {
    state: () => state,
    onState: listeners.add,
    reconnectNow() {
      if (state.kind === "open") return connection?.probe(PROBE_TIMEOUT_MS);
      if (state.kind === "connecting" || state.kind === "closed") return;
      pauseController?.abort();
      refusals = 0;
      pauseMs = FIRST_PAUSE_MS;
      openConnection();
    },
    follow: (stream, schema, following) => ({
      [Symbol.asyncIterator]() {
        let topic: Topic | undefined;
        const { follower, items } = createFollower({ schema, following, onLeave: () => topic?.leave(follower) });
        if (following.signal.aborted) return items;
        if (state.kind === "closed") follower.close();
        else {
          topic = getTopic(stream);
          if (topic === undefined) follower.queueEnd(tooManyStreamsError());
          else topic.join(follower);
          // The first follower opens the connection, even after a time without followers.
          if (connection === undefined && pauseController === undefined && state.kind !== "refused") openConnection();
        }
        return items;
      },
    }),
    [Symbol.dispose]() {
      pauseController?.abort();
      connection?.close();
      for (const topic of [...topics.values()]) topic.close();
      setState({ kind: "closed" });
    },
  };
};

const toError = (code: number | undefined): HearthError =>
  code === POLICY_VIOLATION
    ? new HearthError("auth.invalid", "The house no longer accepts this login.", {
        hint: "Log in again: hearth login prints a link.",
      })
    : new HearthError("house.unreachable", "The connection to the house is lost.", {
        hint: "The client reconnects automatically. If it does not, check that the house is running: hearth status",
      });

const tooManyStreamsError = (): HearthError =>
  new HearthError("request.invalid", `A socket follows at most ${MAX_STREAMS} streams at once.`, {
    hint: "Close one of the streams first.",
  });
