/** Observes background work: logs its failure, which would otherwise be an unhandled rejection. */
import type { Log } from "./log/log.ts";

/** `failed` says which work failed. */
export const observe = (
  work: Promise<unknown>,
  log: Pick<Log, "write">,
  failed: string,
  fields: Readonly<Record<string, unknown>> = {},
): void => {
  work.catch((error: unknown) => {
    log.write("error", failed, { ...fields, error });
  });
};
