/**
 * Maps agents, rooms and activations to houses, from memory. It learns from commits, so that
 * recording one needs no read.
 */
import type { HouseId } from "@hearth/protocol";
import type { Store, Write } from "../store/store.ts";
import type { Owner, Value } from "../store/tables/table.ts";
import { type Row, tables, type WritableTable } from "../store/tables/tables.ts";

type Columns = Readonly<Record<string, Value>>;

export interface Bearer {
  readonly agent: string;
  readonly person: string;
  readonly room: string;
  readonly trigger: string;
  readonly cause: string;
}

export interface Ownership {
  /** The house of a row with these columns, if they identify one. */
  houseOf(table: WritableTable, columns: Columns): HouseId | undefined;
  /** The house of an agent's, a room's or a house's stream. */
  houseOfStream(stream: string): HouseId | undefined;
  /** The first house, if there is one. It records events of the machine. */
  home(): HouseId | undefined;
  /** The agent and person of an activation that has not ended. */
  bearerOf(activation: string): Bearer | undefined;
  /** Called with a change before it is recorded. */
  learn(writes: readonly Write[]): void;
  /** Called after a commit: drops what has ended. */
  settle(writes: readonly Write[]): void;
}

export const createOwnership = async (store: Pick<Store, "select">): Promise<Ownership> => {
  const isHouse = { type: "house" } as const;
  const [first, ...others] = await store.select({
    table: "records",
    where: isHouse,
    order: [{ column: "created_at" }],
  });
  let home = first?.house;
  /** Records of houses other than the first. */
  const elsewhere = new Map<string, HouseId>();
  const bearers = new Map<string, Bearer>();

  const meet = (id: string, house: HouseId): void => {
    if (house !== home) elsewhere.set(id, house);
  };

  if (others.length > 0) {
    const among = [{ column: "house", is: "in", value: others.map(({ id }) => id) }] as const;
    for (const { id, house } of await store.select({ table: "records", and: among })) meet(id, house);
  }
  const bear = ({ id, agent, person, room, trigger, cause }: Row<"activations">): void =>
    void bearers.set(id, { agent, person, room, trigger, cause });
  for (const row of await store.select({ table: "activations", where: { ended_at: null } })) bear(row);

  const ofRecord = (id: Value | undefined): HouseId | undefined =>
    typeof id === "string" ? (elsewhere.get(id) ?? home) : undefined;

  return {
    home: () => home,
    houseOfStream(stream) {
      const [, kind, id] = /^(house|room|agent):(.+)$/.exec(stream) ?? [];
      return kind === "house" ? (id as HouseId) : ofRecord(id);
    },
    bearerOf: (activation) => bearers.get(activation),
    houseOf(table, columns) {
      const owner: Owner = tables[table].owner;
      if (owner === "home") return undefined;
      const value = columns[owner.column];
      switch (owner.by) {
        case "house":
          if (typeof value === "string") return value as HouseId;
          return table === "records" ? ofRecord(columns["id"]) : undefined;
        case "agent":
        case "room":
          // An update names a row by its id alone.
          return ofRecord(value ?? bearers.get(String(columns["id"]))?.room);
        case "activation":
          return ofRecord(bearers.get(String(value))?.room);
        case "stream":
        case "byteStream":
          return undefined;
      }
    },
    learn(writes) {
      for (const write of writes) {
        if (write.kind !== "insert" && write.kind !== "put") continue;
        if (write.table === "records") {
          if (write.row.type === "house") home ??= write.row.house;
          meet(write.row.id, write.row.house);
        } else if (write.table === "activations" && write.row.ended_at === null) {
          bear(write.row);
        }
      }
    },
    settle(writes) {
      for (const write of writes) {
        if (write.kind !== "update" && write.kind !== "delete") continue;
        if (write.table !== "activations" || write.where.id === undefined) continue;
        if (write.kind === "delete" || typeof write.set.ended_at === "number") bearers.delete(write.where.id);
      }
    },
  };
};
