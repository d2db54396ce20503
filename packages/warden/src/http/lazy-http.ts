/**
 * Loads the HTTP application at the first request, or earlier when the daemon is idle after its
 * start. A start does not wait for it.
 */
import { lazy } from "@hearth/protocol";
import type { Http, HttpOptions } from "./http.ts";

export interface LazyHttp extends Http {
  /** Preloads what requests need. Never rejects. */
  warm(): Promise<void>;
}

type LoadHttp = (options: HttpOptions) => Promise<Http>;

const loadHttp: LoadHttp = async (options) => (await import("./app.ts")).createHttp(options);

export const createLazyHttp = (options: HttpOptions, loadApp: LoadHttp = loadHttp): LazyHttp => {
  let loadedHttp: Http | undefined;
  let isClosed = false;
  const load = lazy(async () => {
    const http = await loadApp(options);
    if (isClosed) http.close();
    loadedHttp = http;
    return http;
  });

  /** Returns a fixed answer, because the code that formats errors failed to load. */
  const answerLoadFailure = (error: unknown): Response => {
    options.kernel.log.write("error", "cannot load the HTTP port", { error });
    return new Response(null, { status: 500 });
  };

  return {
    async handle(request, connection) {
      try {
        return await (await load()).handle(request, connection);
      } catch (error) {
        return answerLoadFailure(error);
      }
    },
    async admit(request, connection) {
      try {
        return await (await load()).admit(request, connection);
      } catch (error) {
        return { refusal: answerLoadFailure(error) };
      }
    },
    connect(caller, peer) {
      if (loadedHttp === undefined) throw new Error("no caller was admitted yet");
      return loadedHttp.connect(caller, peer);
    },
    close() {
      isClosed = true;
      loadedHttp?.close();
    },
    async warm() {
      // The next request tries again and reports the error.
      await load().catch(() => {});
    },
  };
};
