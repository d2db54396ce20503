/** Commits how activations end, and notifies the rest of the area when one is over. */
import type { Kernel, Lease, Row } from "../../kernel/index.ts";
import type { ActivationId, Usage } from "@hearth/protocol";
import type { ActivationRows } from "../queue/activation-rows.ts";
import type { Lifecycle } from "../queue/lifecycle.ts";
import { createPersistOutcome, type PersistOutcome } from "../recovery/persist-outcome.ts";
import type { Retries } from "../recovery/retries.ts";
import type { Ended } from "./endings/final-state.ts";

type ActivationRow = Row<"activations">;

export interface OutcomesOptions {
  readonly kernel: Pick<Kernel, "world" | "log" | "store">;
  readonly lifecycle: Lifecycle;
  readonly retries: Pick<Retries, "planReplacements">;
  readonly rows: Pick<ActivationRows, "find">;
  readonly enqueue: (row: ActivationRow) => void;
  /** Called with each activation that is durably over. */
  readonly onOver: (id: ActivationId) => void;
  /** Aborts when the daemon closes. */
  readonly closing: AbortSignal;
}

export interface Outcomes {
  /** Commits an outcome once. Throws if the commit fails. */
  end(row: ActivationRow, outcome: Ended, usage: Usage, lease?: Lease): Promise<void>;
  /** Commits an outcome, and retries until it succeeds, another run has taken over, or the daemon closes. */
  readonly persist: PersistOutcome;
  /** Reports that an activation is over whose end was committed elsewhere. */
  notifyOver(id: ActivationId): void;
  /** Awaited after the end of each activation without a reply, including merged ones. */
  onUnanswered(listener: (id: ActivationId) => Promise<void>): void;
}

export const createOutcomes = (options: OutcomesOptions): Outcomes => {
  const { kernel, lifecycle, retries, rows, enqueue, onOver, closing } = options;
  const listeners: ((id: ActivationId) => Promise<void>)[] = [];

  const end: Outcomes["end"] = async (row, outcome, usage, lease) => {
    const id = row.id;
    const requeued = outcome.kind === "failed" && outcome.isGivenUp === true ? await retries.planReplacements(row) : [];
    await lifecycle.end(row, outcome, usage, lease, requeued);
    for (const { replacement } of requeued) enqueue(replacement);
    if (outcome.kind !== "reply") for (const listener of listeners) await listener(id);
    onOver(id);
  };

  return {
    end,
    notifyOver: onOver,
    persist: createPersistOutcome({
      world: kernel.world,
      log: kernel.log,
      store: kernel.store,
      lifecycle,
      find: rows.find,
      enqueue,
      end,
      closing,
    }),
    onUnanswered: (listener) => void listeners.push(listener),
  };
};
