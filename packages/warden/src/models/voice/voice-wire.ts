/** The server of a transcriber or a speaker, for tests. It keeps the requests. */
import type { Fetch } from "@hearth/protocol";

export interface VoiceWire {
  readonly fetch: Fetch;
  readonly requests: readonly Request[];
  /** Whether the client has closed the last connection. */
  isClosed(): boolean;
}

/** Creates the server. If `answer` returns undefined, the server never answers. */
export const createFakeVoiceWire = (answer: () => Response | Error | undefined): VoiceWire => {
  const requests: Request[] = [];
  let hasClosed = false;
  return {
    requests,
    isClosed: () => hasClosed,
    async fetch(input, init) {
      const request = new Request(input, init);
      requests.push(request);
      const reply = answer();
      if (reply instanceof Error) throw reply;
      if (reply !== undefined) return reply;
      const { promise, reject } = Promise.withResolvers<never>();
      const close = (): void => {
        hasClosed = true;
        reject(new DOMException("The operation was aborted.", "AbortError"));
      };
      if (request.signal.aborted) close();
      request.signal.addEventListener("abort", close, { once: true });
      return promise;
    },
  };
};
