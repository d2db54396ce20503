/**
 * The vendor's side of a wire, in memory: it answers the n-th request with the n-th reply and
 * counts open connections.
 */
import type { Fetch } from "@hearth/protocol";

export type WireReply =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly chunks: readonly Uint8Array[];
      /** After the last chunk. Default `end`. */
      readonly then?: "end" | "hang" | "break";
    }
  /** There is no response; the network fails with this error. */
  | { readonly network: Error };

export interface SentRequest {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

export interface FakeWire {
  readonly fetch: Fetch;
  readonly requests: readonly SentRequest[];
  open(): number;
}

export const createFakeWire = (replies: readonly WireReply[]): FakeWire => {
  const requests: SentRequest[] = [];
  let openCount = 0;
  return {
    requests,
    open: () => openCount,
    async fetch(input, init = {}) {
      const { signal } = init;
      signal?.throwIfAborted();
      const url = input instanceof Request ? input.url : String(input);
      const requestIndex =
        requests.push({
          url,
          headers: new Headers(init.headers),
          body: typeof init.body === "string" ? init.body : "",
        }) - 1;
      const reply = replies[requestIndex];
      if (reply === undefined) throw new TypeError(`The fake wire has no reply for request ${requestIndex + 1}.`);
      if ("network" in reply) throw reply.network;
      openCount += 1;
      const body = createBody(reply, signal ?? undefined, () => {
        openCount -= 1;
      });
      return new Response(body, {
        status: reply.status ?? 200,
        headers: reply.headers ?? { "content-type": "text/event-stream; charset=utf-8" },
      });
    },
  };
};

const createBody = (
  { chunks, then = "end" }: Extract<WireReply, { chunks: unknown }>,
  signal: AbortSignal | undefined,
  close: () => void,
): ReadableStream<Uint8Array> => {
  let nextIndex = 0;
  let isClosed = false;
  const closeOnce = (): void => {
    if (!isClosed) close();
    isClosed = true;
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        signal?.addEventListener("abort", () => {
          if (!isClosed) controller.error(signal.reason);
          closeOnce();
        });
      },
      pull(controller) {
        const chunk = chunks[nextIndex];
        nextIndex += 1;
        if (chunk !== undefined) return controller.enqueue(chunk);
        if (then === "hang") return new Promise<never>(() => undefined);
        if (then === "end") controller.close();
        else controller.error(new TypeError("The socket was closed."));
        closeOnce();
      },
      cancel: closeOnce,
    },
    { highWaterMark: 0 },
  );
};
