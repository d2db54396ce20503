/**
 * One WebSocket session: answers requests in order and holds a bounded number of subscriptions.
 * Sending waits while the peer is slow, so a session holds one batch per subscription in memory.
 *
 * A room with a thousand sockets has a thousand sessions that send separately and share the text of
 * the frame. Bun's server topics would be faster, but they do not report which socket accepted which
 * frame: a slow socket would lose frames or be closed, and could not resume, because its positions
 * would be unknown.
 */
import { checkJson, type ErrorBody, isHearthError, toErrorBody } from "@hearth/protocol";
import { MAX_BODY_SIZE, SocketRequest } from "@hearth/protocol/api";
import type { Caller, SocketPeer, SocketSession } from "../http.ts";
import { checkNeeds, socketNeeds } from "../needs.ts";
import { toNewMessage } from "../routes/messages.ts";
import type { RouteOptions } from "../routes/route.ts";
import { createSender } from "./sender.ts";
import { createSubscriptions } from "./subscriptions.ts";

/** Maximum number of queued requests. Their total length is limited too. */
const MAX_QUEUED_REQUESTS = 256;
const MAX_QUEUED_LENGTH = 4 * MAX_BODY_SIZE;
/** Maximum number of malformed frames that are answered before the socket is closed. */
const MAX_INVALID_FRAMES = 10;

/** Close codes: policy violation, too big, going away. */
const POLICY_CODE = 1008;
const TOO_BIG_CODE = 1009;
const GOING_AWAY_CODE = 1001;

/** The reason that a peer gets when its credential was revoked. */
const REVOKED_REASON = "the credential no longer holds";

export const createSession = (options: RouteOptions, caller: Caller, peer: SocketPeer): SocketSession => {
  const { access, lifetimes, areas } = options;
  const { principal } = caller;
  const { kernel } = areas;
  const session = new AbortController();
  const { signal } = session;
  const sender = createSender({ kernel, peer, agent: principal.agent, session });
  const { send, close } = sender;
  const subscriptions = createSubscriptions(options, { principal, sender, signal });
  let requests: Promise<void> = Promise.resolve();
  let queuedRequests = 0;
  let queuedLength = 0;
  let invalidFrames = 0;

  const lifetime = lifetimes.begin(caller, {
    peer: signal,
    /** The socket stays open for other streams. */
    async mayContinue() {
      await subscriptions.endForbidden();
      return true;
    },
    onRevoked: () => peer.close(POLICY_CODE, REVOKED_REASON),
  });
  const onEnd = (): void => {
    session.abort();
    if (lifetimes.isClosed()) peer.close(GOING_AWAY_CODE, "the house is closing");
  };
  if (lifetime.signal.aborted) onEnd();
  else lifetime.signal.addEventListener("abort", onEnd);

  const perform = async (request: SocketRequest): Promise<void> => {
    const { id } = request;
    const fields: Readonly<Record<string, unknown>> = request;
    await checkNeeds(access, socketNeeds[request.op], {
      principal,
      param: (name) => String(fields[name]),
      body: () => Promise.resolve({}),
    });
    switch (request.op) {
      case "ping":
        return send({ type: "answer", id, result: null });
      case "subscribe":
        return subscriptions.begin(request);
      case "unsubscribe":
        subscriptions.end(request.stream);
        return send({ type: "answer", id, result: null });
      case "post": {
        areas.turns.restore.requireNone();
        const { room, message } = request;
        const result = await areas.people.rooms.post(room, toNewMessage(message), principal.agent);
        return send({ type: "answer", id, result });
      }
      case "stop":
        return send({ type: "answer", id, result: await areas.turns.activations.stop(request.activation) });
    }
  };

  const answerTo = async (text: string): Promise<void> => {
    if (signal.aborted) return;
    const parsed = parseFrame(text);
    if (parsed.request === undefined) {
      invalidFrames += 1;
      await send({ type: "error", ...parsed });
      if (invalidFrames >= MAX_INVALID_FRAMES) close(POLICY_CODE, "this is not the protocol");
      return;
    }
    try {
      if (!(await caller.mayRequest())) return close(POLICY_CODE, REVOKED_REASON);
      await perform(parsed.request);
    } catch (error) {
      if (!isHearthError(error)) kernel.log.write("error", "a socket request broke", { error });
      await send({ type: "error", id: parsed.request.id, error: toErrorBody(error) });
    }
  };

  return {
    onMessage(text) {
      if (signal.aborted) return;
      if (text.length > MAX_BODY_SIZE) return close(TOO_BIG_CODE, "the frame is too large");
      queuedRequests += 1;
      queuedLength += text.length;
      if (queuedRequests > MAX_QUEUED_REQUESTS || queuedLength > MAX_QUEUED_LENGTH)
        return close(POLICY_CODE, "too many requests at once");
      requests = requests
        .then(() => answerTo(text))
        .finally(() => {
          queuedRequests -= 1;
          queuedLength -= text.length;
        });
    },
    onDrain: sender.resume,
    onClose: lifetime.end,
  };
};

type ParsedFrame =
  | { readonly request: SocketRequest }
  | { readonly request?: never; readonly id?: number; readonly error: ErrorBody };

/** Parses a frame. An error has the id of its request if the frame contained an id. */
const parseFrame = (text: string): ParsedFrame => {
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
      error: invalidFrameError(`frame${path === "" ? "" : ` "${path}"`}: ${issue?.message ?? "is wrong"}`),
    };
  } catch (error) {
    return { ...id, error: isHearthError(error) ? toErrorBody(error) : invalidFrameError("The frame is not JSON.") };
  }
};

const invalidFrameError = (message: string): ErrorBody => ({
  code: "request.invalid",
  message,
  hint: "See SocketRequest in docs/protocol.md.",
});
