/** The port, read while the house that has started is idle, or when the first request comes before that: a start does without. */
import { lazy } from "@hearth/protocol";
import type { Http, HttpOptions } from "./http.ts";

export interface LazyHttp extends Http {
  /** Reads what requests need, so that the first of them need not wait for it. Never rejects. */
  warm(): Promise<void>;
}

type Read = (options: HttpOptions) => Promise<Http>;

const readApp: Read = async (options) => (await import("./app.ts")).createHttp(options);

export const createLazyHttp = (options: HttpOptions, read: Read = readApp): LazyHttp => {
  let loaded: Http | undefined;
  let closed = false;
  const load = lazy(async () => {
    const http = await read(options);
    if (closed) http.close();
    loaded = http;
    return http;
  });

  /** Without words: those who could say it better are what could not be read. */
  const broken = (error: unknown): Response => {
    options.log.write("error", "the port could not be read", { error });
    return new Response(null, { status: 500 });
  };

  return {
    async handle(request, peer) {
      try {
        return await (await load()).handle(request, peer);
      } catch (error) {
        return broken(error);
      }
    },
    async admit(request, peer) {
      try {
        return await (await load()).admit(request, peer);
      } catch (error) {
        return { refusal: broken(error) };
      }
    },
    connect(caller, peer) {
      if (loaded === undefined) throw new Error("nobody was admitted yet");
      return loaded.connect(caller, peer);
    },
    close() {
      closed = true;
      loaded?.close();
    },
    async warm() {
      // Whoever asks first tries again, and is told.
      await load().catch(() => {});
    },
  };
};
