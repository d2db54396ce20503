/**
 * One WebSocket session: answers requests in order and holds a bounded number of subscriptions.
 * Sending waits while the peer is slow, so a session holds one batch per subscription in memory.
 *
 * A room with a thousand sockets has a thousand sessions that send separately and share the text of
 * the frame. Bun's server topics would be faster but do not report which socket accepted what: a
 * slow one would lose frames or be closed, and its positions, which resuming needs, would be lost.
 */
import {
  checkJson,
  type ErrorBody,
  HearthError,
  isHearthError,
  MAX_BODY_SIZE,
  type SocketFrame,
  SocketRequest,
  type StreamName,
  toErrorBody,
} from "@hearth/protocol";
import { observe } from "../kernel/index.ts";
import type { Caller, SocketPeer, SocketSession } from "./http.ts";
import { toNewMessage } from "./routes/messages.ts";
import { meet, socketNeeds } from "./needs.ts";
import type { RouteOptions } from "./routes/route.ts";
import { isInMemory } from "./source.ts";

export const MAX_SUBSCRIPTIONS = 100;
/** Requests that may be queued, and their total length. */
const MAX_WAITING = 256;
const MAX_WAITING_LENGTH = 4 * MAX_BODY_SIZE;
/** Malformed frames to answer before the socket is closed. */
const MAX_GARBAGE = 10;
/**
 * How long a peer may accept nothing. Its last frames are kept for that time; a client that
 * reconnects later loses nothing.
 */
export const STALL_MS = 10_000;

/** The log message for that. */
const CUT_OFF = "a reader takes nothing and is cut off";

/** Close codes: policy violation, too big, try again later, going away. */
const POLICY = 1008;
const TOO_BIG = 1009;
const TRY_AGAIN = 1013;
const GOING_AWAY = 1001;

/** The reason that a peer gets. */
const REVOKED = "the credential no longer holds";

type Subscribe = Extract<SocketRequest, { op: "subscribe" }>;

type Frame =
  | Exclude<SocketFrame, { type: "answer" }>
  | { readonly type: "answer"; readonly id: number; readonly result: unknown };

export const createSession = (options: RouteOptions, caller: Caller, peer: SocketPeer): SocketSession => {
  const { access, lifetimes, texts, areas } = options;
  const { world, log } = areas.kernel;
  const source = options.sourceFor(caller.principal);
  const subscriptions = new Map<StreamName, Subscription>();
  let requests: Promise<void> = Promise.resolve();
  let waiting = 0;
  let waitingLength = 0;
  let garbage = 0;
  /** Set while the peer is slow. */
  let slow: { readonly drained: Promise<void>; readonly resume: () => void } | undefined;

  const close = (code: number, reason: string): void => {
    if (life.signal.aborted) return;
    peer.close(code, reason);
    life.end();
  };

  /**
   * Ends subscriptions that the caller may no longer read. The socket stays open for other streams.
   */
  const still = async (): Promise<boolean> => {
    for (const [stream, { isOpen, end }] of subscriptions) {
      if (await isOpen()) continue;
      subscriptions.delete(stream);
      end.abort();
      observe(send({ type: "ended", stream }), log, "the end of a subscription could not be sent", { stream });
    }
    return true;
  };
  const life = lifetimes.begin(caller, { still, onRevoked: () => peer.close(POLICY, REVOKED) });
  const onEnd = (): void => {
    for (const { end } of subscriptions.values()) end.abort();
    subscriptions.clear();
    slow?.resume();
    if (lifetimes.closed()) peer.close(GOING_AWAY, "the house is closing");
  };
  if (life.signal.aborted) onEnd();
  else life.signal.addEventListener("abort", onEnd);

  const becomeSlow = (): void => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stalled = new AbortController();
    slow = {
      drained: promise,
      resume: () => {
        slow = undefined;
        stalled.abort();
        resolve();
      },
    };
    const cutOff = (): void => {
      if (stalled.signal.aborted || life.signal.aborted) return;
      log.write("info", CUT_OFF, { agent: caller.principal.agent });
      close(TRY_AGAIN, "too slow; come back and resume");
    };
    world.clock.sleep(STALL_MS, stalled.signal).then(cutOff, cutOff);
  };

  /** Waits until there is room, then sends. Sends nothing once the session is over. */
  const send = (frame: Frame): Promise<void> => sendText(JSON.stringify(frame), life.signal);
  const sendText = async (text: string, signal: AbortSignal): Promise<void> => {
    while (slow !== undefined) await slow.drained;
    if (signal.aborted || life.signal.aborted) return;
    switch (peer.send(text)) {
      case "sent":
        return;
      case "full":
        return becomeSlow();
      case "gone":
        return life.end();
    }
  };

  const subscribe = async ({ stream, after, epoch, id }: Subscribe): Promise<void> => {
    if (subscriptions.has(stream))
      throw new HearthError("request.invalid", `${stream} is subscribed already.`, { hint: "Unsubscribe first." });
    if (subscriptions.size >= MAX_SUBSCRIPTIONS) {
      throw new HearthError("request.invalid", `A socket holds ${MAX_SUBSCRIPTIONS} subscriptions.`, {
        hint: "Unsubscribe from some, or open another socket.",
      });
    }
    const isOpen = access.stillOpen(caller.principal, stream);
    await access.requireStream(caller.principal, stream);
    const start = await source.start(stream, after, epoch);
    await send({ type: "answer", id, result: { epoch: source.epoch } });
    if (start === "restarted") await send({ type: "restarted", stream });
    if (start === "gone") return send({ type: "ended", stream });
    if (life.signal.aborted) return;
    const end = new AbortController();
    subscriptions.set(stream, { end, isOpen });
    const pumped = pump(stream, start === "restarted" ? 0 : after, end);
    observe(pumped, log, "a subscription could not be ended", { stream });
  };

  const pump = async (stream: StreamName, after: number, { signal }: AbortController): Promise<void> => {
    try {
      for await (const events of source.of(stream).follow(stream, after, signal)) {
        for (const frame of texts.frames(stream, events)) await sendText(frame, signal);
      }
      if (signal.aborted) return;
      subscriptions.delete(stream);
      if (isInMemory(stream)) await send({ type: "ended", stream });
    } catch (error) {
      log.write("error", "a subscription broke", { stream, error });
      close(TRY_AGAIN, "a subscription broke; come back and resume");
    }
  };

  const perform = async (request: SocketRequest): Promise<void> => {
    const { id } = request;
    const named: Readonly<Record<string, unknown>> = request;
    await meet(access, socketNeeds[request.op], {
      principal: caller.principal,
      param: (name) => String(named[name]),
      body: () => Promise.resolve({}),
    });
    switch (request.op) {
      case "ping":
        return send({ type: "answer", id, result: null });
      case "subscribe":
        return subscribe(request);
      case "unsubscribe":
        subscriptions.get(request.stream)?.end.abort();
        subscriptions.delete(request.stream);
        return send({ type: "answer", id, result: null });
      case "post": {
        areas.turns.restore.requireNone();
        const { room, message } = request;
        const result = await areas.people.rooms.post(room, toNewMessage(message), caller.principal.agent);
        return send({ type: "answer", id, result });
      }
      case "stop":
        return send({ type: "answer", id, result: await areas.turns.activations.stop(request.activation) });
    }
  };

  const answerTo = async (text: string): Promise<void> => {
    if (life.signal.aborted) return;
    const parsed = parse(text);
    if (parsed.request === undefined) {
      garbage += 1;
      await send({ type: "error", ...parsed });
      if (garbage >= MAX_GARBAGE) close(POLICY, "this is not the protocol");
      return;
    }
    if (!(await caller.holds())) return close(POLICY, "the credential no longer holds");
    try {
      await perform(parsed.request);
    } catch (error) {
      if (!isHearthError(error)) log.write("error", "a socket request broke", { error });
      await send({ type: "error", id: parsed.request.id, error: toErrorBody(error) });
    }
  };

  return {
    message(text) {
      if (life.signal.aborted) return;
      if (text.length > MAX_BODY_SIZE) return close(TOO_BIG, "the frame is too large");
      waiting += 1;
      waitingLength += text.length;
      if (waiting > MAX_WAITING || waitingLength > MAX_WAITING_LENGTH)
        return close(POLICY, "too many requests at once");
      requests = requests
        .then(() => answerTo(text))
        .finally(() => {
          waiting -= 1;
          waitingLength -= text.length;
        });
    },
    drained: () => slow?.resume(),
    closed: life.end,
  };
};

interface Subscription {
  readonly end: AbortController;
  readonly isOpen: () => Promise<boolean>;
}

type Parsed =
  | { readonly request: SocketRequest }
  | { readonly request?: never; readonly id?: number; readonly error: ErrorBody };

/** An error has the id of its request if the frame had one. */
const parse = (text: string): Parsed => {
  let id: { readonly id?: number } = {};
  try {
    checkJson(text);
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && "id" in value && Number.isSafeInteger(value.id))
      id = { id: Number(value.id) };
    const { success, data, error } = SocketRequest.safeParse(value);
    if (success) return { request: data };
    const [issue] = error.issues;
    const path = issue?.path.map(String).join(".") ?? "";
    return {
      ...id,
      error: invalid(`frame${path === "" ? "" : ` "${path}"`}: ${issue?.message ?? "is wrong"}`),
    };
  } catch (error) {
    return { ...id, error: isHearthError(error) ? toErrorBody(error) : invalid("The frame is not JSON.") };
  }
};

const invalid = (message: string): ErrorBody => ({
  code: "request.invalid",
  message,
  hint: "See SocketRequest in docs/protocol.md.",
});
