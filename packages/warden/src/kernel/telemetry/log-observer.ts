/** Writes each finished operation to the house's log. */
import type { Log } from "../log/log.ts";
import type { Observer } from "./observer.ts";

export const createLogObserver = ({ log }: { readonly log: Log }): Observer => {
  let isClosed = false;
  return {
    record({ kind, trace, id, parent, durationMs, facts }) {
      if (isClosed) return;
      log.write("info", `${kind} ended`, { trace, span: id, parent, durationMs: Math.round(durationMs), ...facts });
    },
    close() {
      isClosed = true;
      return Promise.resolve();
    },
  };
};
