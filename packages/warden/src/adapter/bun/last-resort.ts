/**
 * Handles failures that no code awaited: logs them and keeps the daemon running. All durable state
 * is in the database, written in transactions, and an exception in one callback does not affect
 * other activations. A restart would interrupt those too.
 */
import type { Log } from "../../kernel/log/log.ts";

/** Installs the handlers for the whole process, until disposed. */
export const installLastResort = (log: Log): Disposable => {
  const onRejection = (error: unknown): void => {
    log.write("error", "unhandled promise rejection; the house keeps running", { error: toError(error) });
  };
  const onException = (error: unknown): void => {
    log.write("error", "uncaught exception; the house keeps running", { error: toError(error) });
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
