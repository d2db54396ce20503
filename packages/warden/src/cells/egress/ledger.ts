/** What each turn did on the network: a line for every request, written before a byte of it crosses and again at its end. */
import type { Store } from "../../kernel/index.ts";
import { type ActivationId, addUsage, type EgressEntry, MODEL_HOST, noUsage, type Usage } from "@hearth/protocol";
import { toEntry, toRow } from "./rows.ts";

export interface Ledger {
  /** Durable when it resolves. Says of what never ends that it broke off. */
  begin(entry: EgressEntry): Promise<void>;
  /** The same line as it ended. */
  end(entry: EgressEntry): Promise<void>;
  /** A request that never began. No more than a house wants to keep of one turn. */
  refuse(entry: EgressEntry): Promise<void>;
  /** What models took for programs of this turn, as far as it is written down. */
  took(activation: ActivationId): Promise<Usage>;
  /** In the order in which they began. */
  list(activation: ActivationId): Promise<readonly EgressEntry[]>;
}

/** Refusals that are kept of one turn: who knocks a million times leaves no million lines. */
export const MAX_REFUSALS = 200;
const BROKEN_OFF = { outcome: "failed", why: "It broke off." } as const;

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
    async took(activation) {
      const rows = await store.select({ table: "egress", where: { activation, host: MODEL_HOST } });
      return rows.map(toEntry).reduce((all, { usage = noUsage }) => addUsage(all, usage), noUsage);
    },
    begin: (entry) => put({ ...entry, ...BROKEN_OFF }),
    end: put,
    async refuse(entry) {
      const { activation } = entry;
      if (activation !== undefined) {
        const where = { activation, outcome: "refused" };
        const refusals = await store.select({ table: "egress", where, limit: MAX_REFUSALS });
        if (refusals.length >= MAX_REFUSALS) return;
      }
      await put(entry);
    },
  };
};
