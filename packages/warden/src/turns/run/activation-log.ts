/** Reads the activation log: which message woke which agent, the steps, the result, the reason. */
import { hasEnded, toActivation, type Journal, type Store } from "../../kernel/index.ts";
import type { LeakScan } from "../../policy/index.ts";
import type { Activations } from "./activations.ts";
import { toParts } from "./activation-parts.ts";

export const createActivationLog = (options: {
  readonly store: Pick<Store, "select">;
  readonly journal: Pick<Journal, "load">;
  readonly leakScan: Pick<LeakScan, "redactJson">;
}): Pick<Activations, "list" | "detail"> => {
  const { store, journal, leakScan } = options;
  return {
    async list({ limit, since, rooms, roomId, triggerId, room = roomId, cause = triggerId, ...where }) {
      const rows = await store.select({
        table: "activations",
        // Activations that another agent requested appear in the log of an agent, not of a room.
        where: {
          ...withoutUndefined({ ...where, room, cause }),
          ...(where.agent === undefined ? { parent: null } : {}),
        },
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
      const { redactJson } = leakScan;
      const steps = new Map(
        [...(await journal.load(id))].map(([index, step]) => [
          index,
          step.output === undefined ? step : { ...step, output: redactJson(step.output) },
        ]),
      );
      return { steps, parts: toParts(steps, hasEnded(state)) };
    },
  };
};

/** Returns the fields whose values are not undefined. */
const withoutUndefined = <Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
