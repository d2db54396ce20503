/**
 * The last handler for failures that no code awaited. It logs them and keeps the daemon up: all that the house owes is in its database, written
 * in transactions, and an exception in a callback is no worse than one in the activation or reader beside it. Restarting would drop those too.
 */
import type { Log } from "../../kernel/log/log.ts";

/** Installs it for the whole process, until it is disposed. */
export const installLastResort = (log: Log): Disposable => {
  const onRejection = (error: unknown): void => {
    log.write("error", "a promise was rejected and nobody handled it; the house goes on", { error: toError(error) });
  };
  const onException = (error: unknown): void => {
    log.write("error", "an exception was not caught; the house goes on", { error: toError(error) });
  };
  process.on("unhandledRejection", onRejection);
  process.on("uncaughtException", onException);
  return {
    [Symbol.dispose]() {
      process.off("unhandledRejection", onRejection);
      process.off("uncaughtException", onException);
    },
  };
};

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
