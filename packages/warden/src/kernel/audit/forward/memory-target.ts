/** A target in memory, for tests. */
import type { AuditTarget } from "./target.ts";

export interface MemoryAuditTarget extends AuditTarget {
  readonly lines: string[];
  /**
   * Makes the target fail. `lost`: the next lines do not arrive. `unconfirmed`: they arrive, but
   * `send` rejects.
   */
  fail(failureKind: "lost" | "unconfirmed" | undefined): void;
}

export const createMemoryAuditTarget = (): MemoryAuditTarget => {
  const lines: string[] = [];
  let failure: "lost" | "unconfirmed" | undefined;
  return {
    lines,
    fail: (failureKind) => {
      failure = failureKind;
    },
    send(added) {
      if (failure !== "lost") lines.push(...added);
      return failure === undefined ? Promise.resolve() : Promise.reject(new Error("the target is away"));
    },
  };
};
