/** Work that runs beside its caller. Its failure goes to the log: a promise that nobody observes would reach the process's last handler. */
import type { Log } from "./log/log.ts";

/** `failed` says what did not happen. */
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
