/** Reads records of the store, by id or handle. */
import type { Row, Store } from "../../kernel/index.ts";
import {
  HearthError,
  type HearthRecord,
  type HouseId,
  type RecordId,
  type RecordOf,
  type RecordType,
} from "@hearth/protocol";
import { createLoadCache } from "./load-cache.ts";
import { toRecord } from "./record-rows.ts";
import type { Records } from "./records.ts";

export interface RecordReader {
  /** Reads the row from the store, never from the cache. */
  findRow(type: RecordType, idOrHandle: string, house?: HouseId): Promise<Row<"records"> | undefined>;
  /** Throws `record.not-found`. */
  require(id: RecordId): Promise<Row<"records">>;
  firstHouse(): Promise<HouseId>;
  readonly list: Records["list"];
  readonly find: Records["find"];
  /** Empties the cache, because a record changed. */
  drop(): void;
}

/**
 * Reads records. Cached, because every message reads its room, people and agent. Every change goes
 * through `createRecordCommits`, which drops the cache.
 */
export const createRecordReader = (store: Store): RecordReader => {
  const recordCache = createLoadCache<HearthRecord | undefined>();
  const listCache = createLoadCache<readonly HearthRecord[]>();

  const findRow = async (
    type: RecordType,
    idOrHandle: string,
    house?: HouseId,
  ): Promise<Row<"records"> | undefined> => {
    const isId = idOrHandle.startsWith(`${type}_`);
    const [row] = await store.select({
      table: "records",
      where: {
        type,
        ...(isId ? { id: idOrHandle } : { handle: idOrHandle }),
        ...(house === undefined ? {} : { house }),
      },
      order: [{ column: "created_at" }],
      limit: 1,
    });
    return row;
  };

  const require = async (id: RecordId): Promise<Row<"records">> => {
    const type = id.slice(0, id.indexOf("_")) as RecordType;
    const row = await findRow(type, id);
    if (row === undefined) throw recordNotFoundError(type, id, []);
    return row;
  };

  const firstHouse = async (): Promise<HouseId> => {
    const [house] = await store.select({
      table: "records",
      where: { type: "house" },
      order: [{ column: "created_at" }],
      limit: 1,
    });
    if (house === undefined) throw recordNotFoundError("house", "home", []);
    return house.house;
  };

  const list = async <Type extends RecordType>(type: Type, house?: HouseId): Promise<readonly RecordOf<Type>[]> => {
    const records = await listCache.get(`${type} ${house ?? ""}`, async () => {
      const rows = await store.select({
        table: "records",
        where: { type, ...(house === undefined ? {} : { house }) },
        order: [{ column: "created_at" }, { column: "id" }],
      });
      return rows.map(toRecord);
    });
    return records as readonly RecordOf<Type>[];
  };

  const find = async <Type extends RecordType>(
    type: Type,
    idOrHandle: string,
    house?: HouseId,
  ): Promise<RecordOf<Type> | undefined> => {
    const load = async (): Promise<HearthRecord | undefined> => {
      const row = await findRow(type, idOrHandle, house);
      return row === undefined ? undefined : toRecord(row);
    };
    // Only ids are cached: their number is bounded, and arbitrary handles could fill the cache.
    const record = ID.test(idOrHandle)
      ? await recordCache.get(`${type} ${idOrHandle} ${house ?? ""}`, load)
      : await load();
    return record as RecordOf<Type> | undefined;
  };

  return {
    findRow,
    require,
    firstHouse,
    list,
    find,
    drop() {
      recordCache.drop();
      listCache.drop();
    },
  };
};

const ID = /^(house|room|agent)_/;

export const recordNotFoundError = (type: RecordType, name: string, known: readonly string[]): HearthError =>
  new HearthError("record.not-found", `There is no ${type} "${name}".`, {
    hint: known.length === 0 ? `List them: hearth ${type} list` : `Available: ${known.slice(0, 20).join(", ")}`,
  });
