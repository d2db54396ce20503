/**
 * The egress ledger has a row for every request of a turn, which is written before the first byte
 * is sent and updated at the end of the request.
 */
import type { Store } from "../../kernel/index.ts";
import { type ActivationId, addUsage, type EgressEntry, MODEL_HOST, noUsage, type Usage } from "@hearth/protocol";
import { toEntry, toRow } from "./rows.ts";

export interface Ledger {
  /**
   * Writes the row. It is durable when the promise resolves. A request without a recorded end
   * counts as broken off.
   */
  begin(entry: EgressEntry): Promise<void>;
  /** Updates the row with the result. */
  end(entry: EgressEntry): Promise<void>;
  /**
   * Records a request that was refused before it began. The number of such rows per turn is
   * limited.
   */
  refuse(entry: EgressEntry): Promise<void>;
  /** Returns the recorded model usage of the turn's programs. */
  readUsage(activation: ActivationId): Promise<Usage>;
  /** Lists the requests in the order in which they began. */
  list(activation: ActivationId): Promise<readonly EgressEntry[]>;
}

/**
 * Maximum number of stored refusals of one turn, so that a loop of refused requests cannot fill the
 * disk.
 */
export const MAX_REFUSALS = 200;
const INTERRUPTED = { outcome: "failed", why: "The request was interrupted." } as const;

export const createLedger = ({ store }: { readonly store: Store }): Ledger => {
  const put = async (entry: EgressEntry): Promise<void> => {
    await store.commit({ writes: [{ kind: "put", table: "egress", row: toRow(entry) }] });
  };
  const list: Ledger["list"] = async (activation) => {
    const rows = await store.select({
      table: "egress",
      where: { activation },
      order: [{ column: "at" }, { column: "id" }],
    });
    return rows.map(toEntry);
  };

  return {
    list,
    async readUsage(activation) {
      const rows = await store.select({ table: "egress", where: { activation, host: MODEL_HOST } });
      return rows.map(toEntry).reduce((total, { usage = noUsage }) => addUsage(total, usage), noUsage);
    },
    begin: (entry) => put({ ...entry, ...INTERRUPTED }),
    end: put,
    async refuse(entry) {
      const { activation } = entry;
      if (activation !== undefined) {
        const where = { activation, outcome: "refused" } as const;
        const refusals = await store.select({ table: "egress", where, limit: MAX_REFUSALS });
        if (refusals.length >= MAX_REFUSALS) return;
      }
      await put(entry);
    },
  };
};
