/** Changes of the vault: one after the other, each on the ground of the key as it was read, and told in the house's log. */
import type { Guard, Store, Write, Row, DurableStreams, NewEvent } from "../../kernel/index.ts";
import { HearthError, type HouseId, type World } from "@hearth/protocol";

type SecretEvent = Extract<NewEvent["event"], { type: "secret-changed" }>;

export interface Change {
  readonly guards?: readonly Guard[];
  readonly writes: readonly Write[];
  /** The row of the key from now on; nothing where there is to be none any more. Absent: as it was. */
  readonly key?: { readonly row: Row<"vault_keys"> | undefined };
}

export interface Changes {
  /** Runs it once all that were asked for before are over. */
  inTurn<Result>(change: () => Promise<Result>): Promise<Result>;
  /** All of it, or nothing: then it throws `record.version`, for somebody was faster. */
  commit(
    change: Change,
    told?: { readonly house: HouseId; readonly event: Omit<SecretEvent, "type" | "at" | "on"> },
  ): Promise<void>;
}

export const createChanges = (options: {
  readonly world: Pick<World, "clock" | "ids">;
  readonly store: Pick<Store, "select">;
  readonly streams: Pick<DurableStreams, "commit">;
}): Changes => {
  const { world, store, streams } = options;
  let last: Promise<unknown> = Promise.resolve();

  return {
    inTurn(change) {
      const changed = last.then(change);
      last = changed.catch(() => {
        // Whoever asked for it is told.
      });
      return changed;
    },

    async commit({ guards = [], writes, key }, told) {
      const [before] = await store.select({ table: "vault_keys" });
      const result = await streams.commit({
        guards: [groundOf(before), ...guards],
        writes: [...keyWrites(before, key), ...writes],
        events:
          told === undefined
            ? []
            : [
                {
                  stream: `house:${told.house}`,
                  id: world.ids.fresh("evt"),
                  event: { type: "secret-changed", at: world.clock.now(), on: told.house, ...told.event },
                },
              ],
      });
      if (result.kind === "committed") return;
      throw new HearthError("record.version", "Somebody else changed it at the same moment.", { hint: "Try again." });
    },
  };
};

const groundOf = (before: Row<"vault_keys"> | undefined): Guard =>
  before === undefined
    ? { kind: "absent", table: "vault_keys", where: {} }
    : { kind: "exists", table: "vault_keys", where: { id: before.id, revision: before.revision } };

const keyWrites = (before: Row<"vault_keys"> | undefined, key: Change["key"]): readonly Write[] => {
  if (key === undefined)
    return before === undefined
      ? []
      : [{ kind: "update", table: "vault_keys", where: { id: before.id }, set: { revision: before.revision + 1 } }];
  return [
    ...(before === undefined ? [] : [{ kind: "delete", table: "vault_keys", where: { id: before.id } } as const]),
    ...(key.row === undefined ? [] : [{ kind: "insert", table: "vault_keys", row: key.row } as const]),
  ];
};
