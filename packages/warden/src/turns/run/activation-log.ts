/** The activation log: what woke whom, what came of it and why, read from the rows and the journal. */
import { isOver, toActivation, type Journal, type Store } from "../../kernel/index.ts";
import type { LeakScan } from "../../policy/index.ts";
import type { Activations } from "./activations.ts";
import { toParts } from "./parts.ts";

export const createActivationLog = (options: {
  readonly store: Pick<Store, "select">;
  readonly journal: Pick<Journal, "load">;
  readonly chokePoint: { readonly leaks: Pick<LeakScan, "shown"> };
}): Pick<Activations, "list" | "detail"> => {
  const { store, journal, chokePoint } = options;
  return {
    async list({ limit, since, rooms, roomId, triggerId, room = roomId, cause = triggerId, ...where }) {
      const rows = await store.select({
        table: "activations",
        // What an agent asked for stands in its log; the room knows nothing of it.
        where: { ...given({ ...where, room, cause }), ...(where.agent === undefined ? { parent: null } : {}) },
        and: [
          ...(since === undefined ? [] : [{ column: "created_at", is: ">=", value: since } as const]),
          ...(rooms === undefined ? [] : [{ column: "room", is: "in", value: rooms } as const]),
        ],
        order: [
          { column: "created_at", descending: true },
          { column: "cause_offset", descending: true },
        ],
        limit,
      });
      return rows.map(toActivation);
    },

    async detail({ id, state }) {
      const { shown } = chokePoint.leaks;
      const steps = new Map(
        [...(await journal.load(id))].map(([index, step]) => [
          index,
          step.output === undefined ? step : { ...step, output: shown(step.output) },
        ]),
      );
      return { steps, parts: toParts(steps, isOver(state)) };
    },
  };
};

/** Without the fields that nobody asked for. */
const given = <Fields extends object>(fields: Fields): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
