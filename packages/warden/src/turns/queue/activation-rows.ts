/** Finds rows of activations, and computes the usage of an activation that is not running. */
import type { Egress } from "../../cells/index.ts";
import { type Journal, unjournaledUsage, type Row, type Store, usageOf } from "../../kernel/index.ts";
import { type ActivationId, addUsage, HearthError, type Usage } from "@hearth/protocol";

export interface ActivationRows {
  /** Throws `activation.not-found`. */
  find(id: ActivationId): Promise<Row<"activations">>;
  /** Usage of an activation that is not running: one that waits, or one that has ended. */
  readUsage(id: ActivationId): Promise<Usage>;
}

export const createActivationRows = ({
  store,
  journal,
  egress,
}: {
  readonly store: Pick<Store, "select">;
  readonly journal: Pick<Journal, "load">;
  readonly egress: Pick<Egress, "readUsage">;
}): ActivationRows => {
  const find: ActivationRows["find"] = async (id) => {
    const [row] = await store.select({ table: "activations", where: { id } });
    if (row !== undefined) return row;
    throw new HearthError("activation.not-found", `There is no activation ${id}.`, {
      hint: "To list activations: hearth activation list",
    });
  };
  return {
    find,
    async readUsage(id) {
      const usageOfCalls = addUsage(unjournaledUsage(await find(id)), usageOf((await journal.load(id)).values()));
      // Programs in the cell can call the model too.
      return addUsage(usageOfCalls, await egress.readUsage(id));
    },
  };
};
