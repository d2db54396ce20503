/** The streams that one session follows, at most `MAX_SUBSCRIPTIONS` at a time. */
import { HearthError, type SocketRequest, type StreamName } from "@hearth/protocol";
import { observe } from "../../kernel/index.ts";
import type { Principal } from "../../people/index.ts";
import type { RouteOptions } from "../routes/route.ts";
import { isInMemory } from "../source.ts";
import { type Sender, TRY_AGAIN_CODE } from "./sender.ts";

export const MAX_SUBSCRIPTIONS = 100;

export interface Subscriptions {
  /** Answers the request, then sends the stream's events from there on. */
  begin(request: Extract<SocketRequest, { op: "subscribe" }>): Promise<void>;
  end(stream: StreamName): void;
  /** Ends the subscriptions of streams that the caller may no longer read. */
  endForbidden(): Promise<void>;
}

interface Subscription {
  readonly end: AbortController;
  readonly isOpen: () => Promise<boolean>;
}

/** Creates the subscriptions. `signal` aborts when the session ends. */
export const createSubscriptions = (
  options: RouteOptions,
  {
    principal,
    sender,
    signal,
  }: { readonly principal: Principal; readonly sender: Sender; readonly signal: AbortSignal },
): Subscriptions => {
  const { access, texts, areas } = options;
  const { log } = areas.kernel;
  const source = options.sourceFor(principal);
  const subscriptions = new Map<StreamName, Subscription>();

  const checkCapacity = (stream: StreamName): void => {
    if (subscriptions.has(stream))
      throw new HearthError("request.invalid", `${stream} is subscribed already.`, { hint: "Unsubscribe first." });
    if (subscriptions.size >= MAX_SUBSCRIPTIONS) {
      throw new HearthError("request.invalid", `A socket has at most ${MAX_SUBSCRIPTIONS} subscriptions.`, {
        hint: "Unsubscribe from some, or open another socket.",
      });
    }
  };

  const forwardEvents = async (stream: StreamName, after: number, end: AbortSignal): Promise<void> => {
    try {
      for await (const events of source.streamsOf(stream).follow(stream, after, end)) {
        for (const frame of texts.frames(stream, events)) await sender.sendText(frame, end);
      }
      if (end.aborted) return;
      subscriptions.delete(stream);
      if (isInMemory(stream)) await sender.send({ type: "ended", stream });
    } catch (error) {
      log.write("error", "a subscription broke", { stream, error });
      sender.close(TRY_AGAIN_CODE, "a subscription broke; come back and resume");
    }
  };

  signal.addEventListener("abort", () => {
    for (const { end } of subscriptions.values()) end.abort();
    subscriptions.clear();
  });

  return {
    async begin({ stream, after, epoch, id }) {
      checkCapacity(stream);
      const isOpen = access.createReadCheck(principal, stream);
      await access.requireStream(principal, stream);
      const start = await source.resolveStart(stream, after, epoch);
      await sender.send({ type: "answer", id, result: { epoch: source.epoch } });
      if (start === "restarted") await sender.send({ type: "restarted", stream });
      if (start === "gone") return sender.send({ type: "ended", stream });
      if (signal.aborted) return;
      const end = new AbortController();
      subscriptions.set(stream, { end, isOpen });
      const forwarding = forwardEvents(stream, start === "restarted" ? 0 : after, end.signal);
      observe(forwarding, log, "a subscription could not be ended", { stream });
    },
    end(stream) {
      subscriptions.get(stream)?.end.abort();
      subscriptions.delete(stream);
    },
    async endForbidden() {
      for (const [stream, { isOpen, end }] of subscriptions) {
        if (await isOpen()) continue;
        subscriptions.delete(stream);
        end.abort();
        observe(sender.send({ type: "ended", stream }), log, "the end of a subscription could not be sent", { stream });
      }
    },
  };
};
