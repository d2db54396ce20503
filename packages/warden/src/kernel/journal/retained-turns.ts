/** Finds the rows that stay because of turns that are open or have merged. */
import type { Store } from "../store/store.ts";
import type { Row } from "../store/tables/tables.ts";

type ActivationRow = Row<"activations">;

/**
 * Returns the activations merged into these, recursively. They share the reply, so they stay as
 * long as these.
 */
export const findMergedActivations = async (
  store: Pick<Store, "select">,
  hosts: readonly ActivationRow[],
): Promise<readonly ActivationRow[]> => {
  const merged: ActivationRow[] = [];
  for (let ids = hosts.map(({ id }) => id); ids.length > 0;) {
    const rows = await store.select({
      table: "activations",
      and: [{ column: "merged_into", is: "in", value: ids }],
    });
    merged.push(...rows);
    ids = rows.map(({ id }) => id);
  }
  return merged;
};

/**
 * Returns the instant from which rows stay because of the oldest open activation: its reply needs
 * the update that caused it, and its notices wait for a decision.
 */
export const findRetainedSince = async (store: Pick<Store, "select">): Promise<number> => {
  const openActivations = await store.select({ table: "activations", where: { ended_at: null } });
  const activations = [...openActivations, ...(await findMergedActivations(store, openActivations))];
  const causes = activations.map(({ cause }) => cause);
  const updates = await store.select({ table: "inbound", and: [{ column: "event", is: "in", value: causes }] });
  return Math.min(...activations.map(({ created_at: at }) => at), ...updates.map(({ received_at: at }) => at));
};
