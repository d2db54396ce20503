/**
 * Records in the store: validated content, handles, versions, and an event in the house's log in
 * the same commit.
 */
import type { DurableStreams, Store, Write } from "../../kernel/index.ts";
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
import { lastAdminError } from "../permissions/grant-change.ts";
import { namesOfRooms } from "./plain-name.ts";
import { createRecordCommits, versionConflictError } from "./record-commits.ts";
import { createRecordReader, recordNotFoundError } from "./record-reader.ts";
import { parseContent, toRecord, toTyped } from "./record-rows.ts";
import type { Mutation, Records } from "./records.ts";

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
  const reader = createRecordReader(store);
  const { findRow, require, firstHouse, list, find } = reader;
  const commit = createRecordCommits({ world, streams, book, reader });

  const create = async (mutation: Create, by: AgentId): Promise<HearthRecord> => {
    const { type } = mutation;
    const content = parseContent(type, mutation.content, options.table);
    const id = world.ids.fresh(type);
    const house = type === "house" ? id : (mutation.house ?? (await firstHouse()));
    if (type !== "house" && (await findRow("house", house)) === undefined)
      throw recordNotFoundError("house", house, []);
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
    const sameCommit = mutation.sameCommit?.(record);
    await commit(undefined, record, by, {
      ...sameCommit,
      writes: [...firstGrants(record, by, mutation.level), ...(sameCommit?.writes ?? [])],
    });
    return record;
  };

  const update = async (mutation: Update, by: AgentId): Promise<HearthRecord> => {
    const oldRow = await require(mutation.id);
    const oldRecord = toRecord(oldRow);
    if (mutation.version !== undefined && mutation.version !== oldRecord.version)
      throw versionConflictError(oldRecord.type, oldRecord.handle);
    for (const field of Object.keys(mutation.content)) {
      const where = options.pinned(oldRecord.type, oldRecord.handle, field);
      if (where !== undefined) {
        throw new HearthError(
          "record.pinned",
          `"${field}" of ${oldRecord.type} ${oldRecord.handle} is set in ${where}.`,
          {
            hint: "Change it there, or remove it from the file, and restart the daemon.",
          },
        );
      }
    }
    const mergedContent: Record<string, unknown> = { ...oldRecord.content, ...mutation.content };
    for (const [field, value] of Object.entries(mutation.content)) if (value === null) delete mergedContent[field];
    const content = parseContent(oldRecord.type, mergedContent, options.table, oldRecord.content.name);
    const isRenamed = content.name !== oldRecord.content.name;
    const record = toTyped({
      ...oldRecord,
      content,
      handle: isRenamed ? handleOf(content.name, oldRecord.id) : oldRecord.handle,
      version: oldRecord.version + 1,
      updatedAt: world.clock.now(),
    });
    const rooms =
      isRenamed && oldRecord.type === "agent" && record.type === "agent"
        ? await findRenamedRooms(oldRecord, record)
        : [];
    await commit(oldRow, record, by, undefined, rooms);
    return record;
  };

  /** Returns the direct rooms with the agent's name, renamed with it. */
  const findRenamedRooms = async (oldRecord: AgentRecord, newRecord: AgentRecord): Promise<readonly RoomRecord[]> =>
    [...(await namesOfRooms({ list, find }, oldRecord, newRecord))].map(([room, name]) => ({
      ...room,
      content: { ...room.content, name },
      handle: handleOf(name, room.id),
      version: room.version + 1,
      updatedAt: newRecord.updatedAt,
    }));

  const remove = async (id: RecordId, by: AgentId): Promise<HearthRecord> => {
    const oldRow = await require(id);
    const record = toRecord(oldRow);
    if (record.type === "house") {
      throw new HearthError(
        "record.invalid",
        `House ${record.handle} cannot be removed: it contains people, agents and rooms.`,
        { hint: "To start over, use another home folder: hearth up --home DIR." },
      );
    }
    if (id === by)
      throw new HearthError("record.invalid", "You cannot remove yourself.", {
        hint: "Ask another admin to remove you.",
      });
    if (record.type === "agent") await requireOtherAdmin(record.id);
    await commit(oldRow, undefined, by, { writes: toDeletions(record) });
    return record;
  };

  /** Throws if the agent is the only person who decides in a house. */
  const requireOtherAdmin = async (agent: AgentId): Promise<void> => {
    for (const [place, { level }] of await book.grantsOf(agent)) {
      const house = level === "x" ? await find("house", place) : undefined;
      if (house !== undefined && (await book.otherAdmin(house.id, agent)) === undefined)
        throw lastAdminError(house.handle);
    }
  };

  return {
    list,
    find,
    async get<Type extends RecordType>(type: Type, idOrHandle: string, house?: HouseId): Promise<RecordOf<Type>> {
      const record = await find(type, idOrHandle, house);
      if (record !== undefined) return record;
      throw recordNotFoundError(
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

/**
 * Returns the first grants of a record. The creator of a house or a room decides there; an agent may
 * write in its house, unless its creator says otherwise.
 */
const firstGrants = (record: HearthRecord, by: AgentId, level?: Level | "none"): readonly Write[] => {
  const { house, createdAt: at } = record;
  const grant = (agent: AgentId, target: Place, level: Level): Write => ({
    kind: "insert",
    table: "grants",
    row: { agent, target, house, level, by, at, rights: null },
  });
  if (level === "none") return [];
  return record.type === "agent" ? [grant(record.id, house, level ?? "w")] : [grant(by, record.id, level ?? "x")];
};

const credentialTables = [
  "grants",
  "logins",
  "passwords",
  "second_factors",
  "recovery_codes",
  "passkeys",
  "identities",
] as const;

/**
 * Returns the deletions of the rows that belong to a record: credentials, grants, views of rooms
 * and the choice of spoken replies.
 */
const toDeletions = ({ type, id }: HearthRecord): readonly Write[] =>
  type === "agent"
    ? [...credentialTables, "room_views" as const, "voice_choices" as const].map((table) => ({
        kind: "delete",
        table,
        where: { agent: id },
      }))
    : [
        { kind: "delete", table: "grants", where: { target: id } },
        { kind: "delete", table: "room_views", where: { room: id } },
      ];

/** Returns the handle. A name without a letter or digit has no slug, so the id is used. */
const handleOf = (name: string, id: RecordId): string => nameToHandle(name) || nameToHandle(id);
