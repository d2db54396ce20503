/**
 * Sends audit rows by POST, as lines of JSON. Any success status means that the server has stored
 * them.
 */
import { createLinkedAbort, type World } from "@hearth/protocol";
import type { AuditTarget } from "./target.ts";

/** Maximum time for the answer to one request. */
export const ANSWER_LIMIT_MS = 30_000;

export const createHttpAuditTarget = (options: {
  readonly world: Pick<World, "clock" | "fetch">;
  readonly url: string;
  /**
   * Returns the headers. They are read for each request, so that a changed key applies to the
   * next one.
   */
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
}): AuditTarget => {
  const { world, url, headers } = options;
  return {
    async send(lines, signal) {
      using limit = createLinkedAbort(signal);
      const expire = (): void => limit.abort(new Error(`it did not answer within ${ANSWER_LIMIT_MS / 1000} seconds`));
      world.clock.sleep(ANSWER_LIMIT_MS, limit.signal).then(expire, expire);
      try {
        const response = await world.fetch(url, {
          method: "POST",
          headers: { "content-type": "application/x-ndjson", ...(await headers()) },
          body: lines.join(""),
          // A redirect would send the rows to another place.
          redirect: "error",
          signal: limit.signal,
        });
        // The answer is not read, because it can have any length.
        await response.body?.cancel();
        if (!response.ok) throw new Error(`it answered with status ${response.status}`);
      } finally {
        limit.abort();
      }
    },
  };
};
