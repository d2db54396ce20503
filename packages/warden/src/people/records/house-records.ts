/**
 * Records in the store: validated content, handles, versions, and an event in the house's log in
 * the same commit.
 */
import type { Change, Guard, Store, Write, Row, DurableStreams, NewEvent } from "../../kernel/index.ts";
import {
  type AgentId,
  type AgentRecord,
  HearthError,
  type HearthRecord,
  type HouseId,
  type Level,
  nameToHandle,
  type RecordId,
  type RecordOf,
  type RecordType,
  type RoomRecord,
  type World,
  type Place,
} from "@hearth/protocol";
import type { ToolTable } from "@hearth/protocol/tools";
import type { GrantBook } from "../permissions/grant-book.ts";
import { last } from "../permissions/house-permissions.ts";
import { createLoadCache } from "./load-cache.ts";
import { namesOfRooms } from "./plain-name.ts";
import { parseContent, toRecord, toRow, toTyped, withArticle } from "./record-rows.ts";
import type { Mutation, Records } from "./records.ts";
import { openedBy, planHomeNotice } from "./home-notices.ts";

export interface RecordsOptions {
  readonly world: World;
  readonly store: Store;
  readonly streams: DurableStreams;
  readonly book: GrantBook;
  /**
   * Where the config pins a field of a record, such as "hearth.toml line 12"; `undefined` if it
   * does not.
   */
  readonly pinned: (type: RecordType, handle: string, field: string) => string | undefined;
  /** Tools that a list may name. Default: the built-in ones. */
  readonly table?: ToolTable;
}

type Create = Extract<Mutation, { kind: "create" }>;
type Update = Extract<Mutation, { kind: "update" }>;

export const createRecords = (options: RecordsOptions): Records => {
  const { world, store, streams, book } = options;
  // Cached, because every message reads its room, people and agent. Every change goes through
  // `commit` below.
  const found = createLoadCache<HearthRecord | undefined>();
  const listed = createLoadCache<readonly HearthRecord[]>();

  const findRow = async (
    type: RecordType,
    idOrHandle: string,
    house?: HouseId,
  ): Promise<Row<"records"> | undefined> => {
    const byId = idOrHandle.startsWith(`${type}_`);
    const [row] = await store.select({
      table: "records",
      where: {
        type,
        ...(byId ? { id: idOrHandle } : { handle: idOrHandle }),
        ...(house === undefined ? {} : { house }),
      },
      order: [{ column: "created_at" }],
      limit: 1,
    });
    return row;
  };

  const commit = async (
    before: Row<"records"> | undefined,
    after: HearthRecord | undefined,
    by: AgentId,
    along: Change = { writes: [] },
    rooms: readonly RoomRecord[] = [],
  ): Promise<void> => {
    const record = after ?? (before === undefined ? undefined : toRecord(before));
    if (record === undefined) return;
    const at = world.clock.now();
    const openings = after === undefined ? [] : openedBy(before && toRecord(before), after, { by, at });
    const change = after === undefined ? "removed" : before === undefined ? "created" : "updated";
    const guards: readonly Guard[] =
      before === undefined
        ? []
        : [{ kind: "exists", table: "records", where: { id: before.id, version: before.version } }];
    const write: Write =
      after === undefined
        ? { kind: "delete", table: "records", where: { id: record.id } }
        : before === undefined
          ? { kind: "insert", table: "records", row: toRow(after) }
          : updateOf(after);
    const result = await committed({
      guards: [...guards, ...(along.guards ?? []), ...rooms.map(guardBefore)],
      writes: [write, ...along.writes, ...rooms.map(updateOf)],
      events: [
        {
          stream: `house:${record.house}`,
          id: world.ids.fresh("evt"),
          event: { type: "record-changed", at, by, change, record },
        },
        ...rooms.map((room): NewEvent => {
          const event = { type: "record-changed", at, by, change: "updated", record: room } as const;
          return { stream: `house:${room.house}`, id: world.ids.fresh("evt"), event };
        }),
        ...(record.type === "agent" ? [] : await planHomeNotice({ world, records: { find } }, record, openings)),
      ],
    });
    // A room to rename was changed meanwhile, or its name was taken: it keeps its name.
    if (result.kind !== "committed" && rooms.length > 0) return commit(before, after, by, along);
    if (result.kind === "conflict" && result.table === "records") throw handleTaken(record);
    if (result.kind === "conflict")
      throw new Error(`an additional write for ${record.id} conflicts in ${result.table}`);
    if (result.kind === "refused") throw versionMoved(record.type, record.handle);
  };

  const committed = async (change: Parameters<DurableStreams["commit"]>[0]): ReturnType<DurableStreams["commit"]> => {
    try {
      return await streams.commit(change);
    } finally {
      found.drop();
      listed.drop();
      book.drop();
    }
  };

  const create = async (mutation: Create, by: AgentId): Promise<HearthRecord> => {
    const { type } = mutation;
    const content = parseContent(type, mutation.content, options.table);
    const id = world.ids.fresh(type);
    const house = type === "house" ? id : (mutation.house ?? (await firstHouse()));
    if (type !== "house" && (await findRow("house", house)) === undefined) throw notFound("house", house, []);
    const now = world.clock.now();
    const record = toTyped({
      type,
      id,
      house,
      handle: handleOf(content.name, id),
      version: 1,
      createdAt: now,
      updatedAt: now,
      content,
    });
    const along = mutation.along?.(record);
    await commit(undefined, record, by, {
      ...along,
      writes: [...firstGrants(record, by, mutation.level), ...(along?.writes ?? [])],
    });
    return record;
  };

  const update = async (mutation: Update, by: AgentId): Promise<HearthRecord> => {
    const before = await require(mutation.id);
    const old = toRecord(before);
    if (mutation.version !== undefined && mutation.version !== old.version) throw versionMoved(old.type, old.handle);
    for (const field of Object.keys(mutation.content)) {
      const where = options.pinned(old.type, old.handle, field);
      if (where !== undefined) {
        throw new HearthError("record.pinned", `"${field}" of ${old.type} ${old.handle} is set in ${where}.`, {
          hint: "Change it there, or remove it from the file, and restart the daemon.",
        });
      }
    }
    const merged: Record<string, unknown> = { ...old.content, ...mutation.content };
    for (const [field, value] of Object.entries(mutation.content)) if (value === null) delete merged[field];
    const content = parseContent(old.type, merged, options.table, old.content.name);
    const renamed = content.name !== old.content.name;
    const record = toTyped({
      ...old,
      content,
      handle: renamed ? handleOf(content.name, old.id) : old.handle,
      version: old.version + 1,
      updatedAt: world.clock.now(),
    });
    const rooms = renamed && old.type === "agent" && record.type === "agent" ? await renamedRooms(old, record) : [];
    await commit(before, record, by, undefined, rooms);
    return record;
  };

  /** Direct rooms with the agent's name, renamed with it. */
  const renamedRooms = async (old: AgentRecord, now: AgentRecord): Promise<readonly RoomRecord[]> =>
    [...(await namesOfRooms({ list, find }, old, now))].map(([room, name]) => ({
      ...room,
      content: { ...room.content, name },
      handle: handleOf(name, room.id),
      version: room.version + 1,
      updatedAt: now.updatedAt,
    }));

  const remove = async (id: RecordId, by: AgentId): Promise<HearthRecord> => {
    const before = await require(id);
    const record = toRecord(before);
    if (record.type === "house") {
      throw new HearthError(
        "record.invalid",
        `House ${record.handle} cannot be removed: its people, agents and rooms live in it.`,
        { hint: "To start over, use another home folder: hearth up --home DIR." },
      );
    }
    if (id === by)
      throw new HearthError("record.invalid", "You cannot remove yourself.", {
        hint: "Ask another admin to remove you.",
      });
    if (record.type === "agent") await requireOthers(record.id);
    await commit(before, undefined, by, { writes: leftovers(record) });
    return record;
  };

  /** The only person who decides in a house cannot be removed. */
  const requireOthers = async (agent: AgentId): Promise<void> => {
    for (const [place, level] of await book.of(agent)) {
      const house = level === "x" ? await find("house", place) : undefined;
      if (house !== undefined && (await book.otherAdmin(house.id, agent)) === undefined) throw last(house.handle);
    }
  };

  const require = async (id: RecordId): Promise<Row<"records">> => {
    const type = id.slice(0, id.indexOf("_")) as RecordType;
    const row = await findRow(type, id);
    if (row === undefined) throw notFound(type, id, []);
    return row;
  };

  const firstHouse = async (): Promise<HouseId> => {
    const [house] = await store.select({
      table: "records",
      where: { type: "house" },
      order: [{ column: "created_at" }],
      limit: 1,
    });
    if (house === undefined) throw notFound("house", "home", []);
    return house.house;
  };

  const list = async <Type extends RecordType>(type: Type, house?: HouseId): Promise<readonly RecordOf<Type>[]> => {
    const records = await listed.get(`${type} ${house ?? ""}`, async () => {
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
    const known = ID.test(idOrHandle) ? await found.get(`${type} ${idOrHandle} ${house ?? ""}`, load) : await load();
    return known as RecordOf<Type> | undefined;
  };

  return {
    list,
    find,
    async get<Type extends RecordType>(type: Type, idOrHandle: string, house?: HouseId): Promise<RecordOf<Type>> {
      const record = await find(type, idOrHandle, house);
      if (record !== undefined) return record;
      throw notFound(
        type,
        idOrHandle,
        (await list(type, house)).map((record) => record.handle),
      );
    },
    async mutate(mutation, by) {
      switch (mutation.kind) {
        case "create":
          return create(mutation, by);
        case "update":
          return update(mutation, by);
        case "remove":
          return remove(mutation.id, by);
      }
    },
  };
};

/** Guards that the room is unchanged since this change of it was computed. */
const guardBefore = ({ id, version }: RoomRecord): Guard => ({
  kind: "exists",
  table: "records",
  where: { id, version: version - 1 },
});

const updateOf = (record: HearthRecord): Write => ({
  kind: "update",
  table: "records",
  where: { id: record.id },
  set: toRow(record),
});

/**
 * The creator of a house or a room decides there; an agent may write in its house, unless its
 * creator says otherwise.
 */
const firstGrants = (record: HearthRecord, by: AgentId, level?: Level | "none"): readonly Write[] => {
  const { house, createdAt: at } = record;
  const grant = (agent: AgentId, target: Place, given: Level): Write => ({
    kind: "insert",
    table: "grants",
    row: { agent, target, house, level: given, by, at },
  });
  if (level === "none") return [];
  return record.type === "agent" ? [grant(record.id, house, level ?? "w")] : [grant(by, record.id, level ?? "x")];
};

const credentialTables = ["grants", "logins", "passwords", "second_factors", "recovery_codes", "passkeys"] as const;

/** Rows that are removed with a record: credentials, grants and views of rooms. */
const leftovers = ({ type, id }: HearthRecord): readonly Write[] =>
  type === "agent"
    ? [...credentialTables, "room_views" as const].map((table) => ({ kind: "delete", table, where: { agent: id } }))
    : [
        { kind: "delete", table: "grants", where: { target: id } },
        { kind: "delete", table: "room_views", where: { room: id } },
      ];

const ID = /^(house|room|agent)_/;

/** A name without a letter or digit has no slug, so the id is used. */
const handleOf = (name: string, id: RecordId): string => nameToHandle(name) || nameToHandle(id);

const notFound = (type: RecordType, name: string, known: readonly string[]): HearthError =>
  new HearthError("record.not-found", `There is no ${type} "${name}".`, {
    hint: known.length === 0 ? `List them: hearth ${type} list` : `Available: ${known.slice(0, 20).join(", ")}`,
  });

const handleTaken = (record: HearthRecord): HearthError =>
  new HearthError(
    "record.handle-taken",
    `There is already ${withArticle(record.type)} with the handle "${record.handle}".`,
    {
      hint: "Choose another name.",
    },
  );

const versionMoved = (type: RecordType, handle: string): HearthError =>
  new HearthError("record.version", `${type} ${handle} was changed by another request meanwhile.`, {
    hint: "Read it again and repeat your change.",
  });
