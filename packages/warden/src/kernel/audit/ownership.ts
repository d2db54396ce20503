/**
 * Finds the house of an agent, a room or an activation in memory. It learns from commits, so that
 * recording a commit reads nothing.
 */
import type { HouseId } from "@hearth/protocol";
import type { Store, Write } from "../store/store.ts";
import type { Owner, Value } from "../store/tables/table.ts";
import { type Row, tables, type WritableTable } from "../store/tables/tables.ts";

type Columns = Readonly<Record<string, Value>>;

export interface ActivationContext {
  readonly agent: string;
  readonly person: string;
  readonly room: string;
  readonly trigger: string;
  readonly cause: string;
}

export interface Ownership {
  /** Returns the house of a row with these columns, if they identify one. */
  houseOf(table: WritableTable, columns: Columns): HouseId | undefined;
  /** Returns the house to which the stream of an agent, a room or a house belongs. */
  houseOfStream(stream: string): HouseId | undefined;
  /** Returns the first house, if there is one. Its log records events of the machine. */
  firstHouse(): HouseId | undefined;
  /** Returns the agent and the person of an activation that has not ended. */
  contextOf(activation: string): ActivationContext | undefined;
  /** Learns from a change. Called before the change is recorded. */
  learn(writes: readonly Write[]): void;
  /** Forgets activations that have ended. Called after a commit. */
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
  /** The records that belong to other houses than the first. */
  const otherHouses = new Map<string, HouseId>();
  const contexts = new Map<string, ActivationContext>();

  const addRecord = (id: string, house: HouseId): void => {
    if (house !== home) otherHouses.set(id, house);
  };

  if (others.length > 0) {
    const inOtherHouses = [{ column: "house", is: "in", value: others.map(({ id }) => id) }] as const;
    for (const { id, house } of await store.select({ table: "records", and: inOtherHouses })) addRecord(id, house);
  }
  const addActivation = ({ id, agent, person, room, trigger, cause }: Row<"activations">): void =>
    void contexts.set(id, { agent, person, room, trigger, cause });
  for (const row of await store.select({ table: "activations", where: { ended_at: null } })) addActivation(row);

  const houseOfRecord = (id: Value | undefined): HouseId | undefined =>
    typeof id === "string" ? (otherHouses.get(id) ?? home) : undefined;

  return {
    firstHouse: () => home,
    houseOfStream(stream) {
      const [, kind, id] = /^(house|room|agent):(.+)$/.exec(stream) ?? [];
      return kind === "house" ? (id as HouseId) : houseOfRecord(id);
    },
    contextOf: (activation) => contexts.get(activation),
    houseOf(table, columns) {
      const owner: Owner = tables[table].owner;
      if (owner === "home") return undefined;
      const value = columns[owner.column];
      switch (owner.by) {
        case "house":
          if (typeof value === "string") return value as HouseId;
          return table === "records" ? houseOfRecord(columns["id"]) : undefined;
        case "agent":
        case "room":
          // An update names a row by its id alone.
          return houseOfRecord(value ?? contexts.get(String(columns["id"]))?.room);
        case "activation":
          return houseOfRecord(contexts.get(String(value))?.room);
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
          addRecord(write.row.id, write.row.house);
        } else if (write.table === "activations" && write.row.ended_at === null) {
          addActivation(write.row);
        }
      }
    },
    settle(writes) {
      for (const write of writes) {
        if (write.kind !== "update" && write.kind !== "delete") continue;
        if (write.table !== "activations" || write.where.id === undefined) continue;
        if (write.kind === "delete" || typeof write.set.ended_at === "number") contexts.delete(write.where.id);
      }
    },
  };
};
