/**
 * Commits changes of the vault. They run one at a time, are guarded by the key that sealed them,
 * and are reported in the house's log.
 */
import type { Guard, Store, Write, Row, DurableStreams, NewEvent } from "../../kernel/index.ts";
import { HearthError, type HouseId, type Right, type World } from "@hearth/protocol";
import { createSerialQueue } from "@hearth/protocol/serial-queue";

type SecretEvent = Extract<NewEvent["event"], { type: "secret-changed" }>;

export interface VaultChange {
  readonly guards?: readonly Guard[];
  readonly writes: readonly Write[];
  /** The new row of the key, or undefined to delete it. Absent if the key does not change. */
  readonly key?: { readonly row: Row<"vault_keys"> | undefined };
}

export interface VaultChanges {
  /** Runs `change` after all earlier changes have finished. */
  serialize<Result>(change: () => Promise<Result>): Promise<Result>;
  /** Commits everything or nothing. Throws `record.version` if another change came first. */
  commit(
    change: VaultChange,
    report?: {
      readonly house: HouseId;
      readonly event: Omit<SecretEvent, "type" | "at" | "on">;
      /** The right that admitted the change. Absent: the level did. */
      readonly right?: Right | undefined;
    },
  ): Promise<void>;
}

export const createVaultChanges = (options: {
  readonly world: Pick<World, "clock" | "ids">;
  readonly store: Pick<Store, "select">;
  readonly streams: Pick<DurableStreams, "commit">;
}): VaultChanges => {
  const { world, store, streams } = options;

  return {
    serialize: createSerialQueue(),

    async commit({ guards = [], writes, key }, report) {
      const [keyRow] = await store.select({ table: "vault_keys" });
      const result = await streams.commit({
        ...(report?.right === undefined ? {} : { right: report.right }),
        guards: [toKeyGuard(keyRow), ...guards],
        writes: [...toKeyWrites(keyRow, key), ...writes],
        events:
          report === undefined
            ? []
            : [
                {
                  stream: `house:${report.house}`,
                  id: world.ids.fresh("evt"),
                  event: { type: "secret-changed", at: world.clock.now(), on: report.house, ...report.event },
                },
              ],
      });
      if (result.kind === "committed") return;
      throw new HearthError("record.version", "The vault was changed by another request at the same time.", {
        hint: "Try again.",
      });
    },
  };
};

const toKeyGuard = (keyRow: Row<"vault_keys"> | undefined): Guard =>
  keyRow === undefined
    ? { kind: "absent", table: "vault_keys", where: {} }
    : { kind: "exists", table: "vault_keys", where: { id: keyRow.id, revision: keyRow.revision } };

const toKeyWrites = (keyRow: Row<"vault_keys"> | undefined, key: VaultChange["key"]): readonly Write[] => {
  if (key === undefined)
    return keyRow === undefined
      ? []
      : [{ kind: "update", table: "vault_keys", where: { id: keyRow.id }, set: { revision: keyRow.revision + 1 } }];
  return [
    ...(keyRow === undefined ? [] : [{ kind: "delete", table: "vault_keys", where: { id: keyRow.id } } as const]),
    ...(key.row === undefined ? [] : [{ kind: "insert", table: "vault_keys", row: key.row } as const]),
  ];
};
