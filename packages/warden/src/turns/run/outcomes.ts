/** Commits the ends of activations, and notifies the other parts of each end. */
import type { Kernel, Lease, Row } from "../../kernel/index.ts";
import type { ActivationId, Usage } from "@hearth/protocol";
import type { ActivationRows } from "../queue/activation-rows.ts";
import type { Lifecycle } from "../queue/lifecycle.ts";
import { createKeepOutcome, type KeepOutcome } from "../recovery/keep-outcome.ts";
import type { Retries } from "../recovery/retries.ts";
import type { Ended } from "./endings/ended.ts";

type ActivationRow = Row<"activations">;

export interface OutcomesOptions {
  readonly kernel: Pick<Kernel, "world" | "log" | "store">;
  readonly lifecycle: Lifecycle;
  readonly retries: Pick<Retries, "requeue">;
  readonly rows: Pick<ActivationRows, "find">;
  readonly enqueue: (row: ActivationRow) => void;
  /** Called with each activation that is durably over. */
  readonly onOver: (id: ActivationId) => void;
  /** Aborts when the daemon closes. */
  readonly closing: AbortSignal;
}

export interface Outcomes {
  end(row: ActivationRow, outcome: Ended, usage: Usage, lease?: Lease): Promise<void>;
  /** Commits an outcome. Waits while the disk refuses writes. */
  readonly keep: KeepOutcome;
  /** Notifies the other parts that an activation is over, whose end another part committed. */
  notifyOver(id: ActivationId): void;
  /** Awaited after the end of each activation that did not reply. */
  onUnanswered(listener: (id: ActivationId) => Promise<void>): void;
}

export const createOutcomes = (options: OutcomesOptions): Outcomes => {
  const { kernel, lifecycle, retries, rows, enqueue, onOver, closing } = options;
  const listeners: ((id: ActivationId) => Promise<void>)[] = [];

  const end: Outcomes["end"] = async (row, outcome, usage, lease) => {
    const id = row.id;
    const requeued = outcome.kind === "failed" && outcome.isGivenUp === true ? await retries.requeue(row) : [];
    await lifecycle.end(row, outcome, usage, lease, requeued);
    for (const { replacement } of requeued) enqueue(replacement);
    if (outcome.kind !== "reply") for (const listener of listeners) await listener(id);
    onOver(id);
  };

  return {
    end,
    notifyOver: onOver,
    keep: createKeepOutcome({ ...kernel, lifecycle, find: rows.find, enqueue, end, closing }),
    onUnanswered: (listener) => void listeners.push(listener),
  };
};
