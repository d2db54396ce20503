/** Commits a change of a record with its event and the further changes that belong to it. */
import type { DurableStreams, Guard, NewEvent, Row, Write } from "../../kernel/index.ts";
import {
  type AgentId,
  HearthError,
  type HearthRecord,
  isTitleDerived,
  type RecordType,
  type RoomRecord,
  type World,
} from "@hearth/protocol";
import type { GrantBook } from "../permissions/grant-book.ts";
import { newAccessOf, planHomeNotice } from "./home-notices.ts";
import type { RecordReader } from "./record-reader.ts";
import { toRecord, toRow, withArticle } from "./record-rows.ts";
import type { RecordChange } from "./records.ts";

/** Commits the change. Throws `record.handle-taken` and `record.version`. */
export type CommitRecord = (
  before: Row<"records"> | undefined,
  /** The new record, or `undefined` to remove it. */
  after: HearthRecord | undefined,
  by: AgentId,
  sameCommit?: RecordChange,
  /** Rooms that are renamed in the same commit, unless that conflicts. */
  rooms?: readonly RoomRecord[],
) => Promise<void>;

interface RecordCommitsOptions {
  readonly world: World;
  readonly streams: DurableStreams;
  readonly book: GrantBook;
  readonly reader: RecordReader;
}

export const createRecordCommits = ({ world, streams, book, reader }: RecordCommitsOptions): CommitRecord => {
  const commit: CommitRecord = async (before, after, by, sameCommit = { writes: [] }, rooms = []) => {
    const record = after ?? (before === undefined ? undefined : toRecord(before));
    if (record === undefined) return;
    const at = world.clock.now();
    const newAccess = after === undefined ? [] : newAccessOf(before && toRecord(before), after, { by, at });
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
    const result = await commitAndDrop({
      guards: [...guards, ...(sameCommit.guards ?? []), ...rooms.map(guardBefore)],
      writes: [write, ...sameCommit.writes, ...rooms.map(updateOf)],
      events: [
        {
          stream: `house:${record.house}`,
          id: world.ids.fresh("evt"),
          event: { type: "record-changed", at, by, change, record: withoutDerivedTitle(record) },
        },
        ...rooms.map((room): NewEvent => {
          const loggedRecord = withoutDerivedTitle(room);
          const event = { type: "record-changed", at, by, change: "updated", record: loggedRecord } as const;
          return { stream: `house:${room.house}`, id: world.ids.fresh("evt"), event };
        }),
        ...(record.type === "agent" ? [] : await planHomeNotice({ world, records: reader }, record, newAccess)),
        ...(sameCommit.events ?? []),
      ],
    });
    // A room to rename was changed meanwhile, or its name was taken: it keeps its name.
    if (result.kind !== "committed" && rooms.length > 0) return commit(before, after, by, sameCommit);
    if (result.kind === "conflict" && result.table === "records") throw handleTakenError(record);
    if (result.kind === "conflict")
      throw new Error(`an additional write for ${record.id} conflicts in ${result.table}`);
    if (result.kind === "refused") throw versionConflictError(record.type, record.handle);
  };

  const commitAndDrop = async (
    change: Parameters<DurableStreams["commit"]>[0],
  ): ReturnType<DurableStreams["commit"]> => {
    try {
      return await streams.commit(change);
    } finally {
      reader.drop();
      book.drop();
    }
  };

  return commit;
};

/**
 * Returns the record for the log of the house, which is never redacted. A title from a message is
 * text of that message, which a person may delete or forget, so readers fetch the record for it.
 */
const withoutDerivedTitle = (record: HearthRecord): HearthRecord => {
  if (record.type !== "room" || !isTitleDerived(record)) return record;
  const { title: _, ...content } = record.content;
  return { ...record, content };
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

const handleTakenError = (record: HearthRecord): HearthError =>
  new HearthError(
    "record.handle-taken",
    `There is already ${withArticle(record.type)} with the handle "${record.handle}".`,
    {
      hint: "Choose another name.",
    },
  );

export const versionConflictError = (type: RecordType, handle: string): HearthError =>
  new HearthError("record.version", `${type} ${handle} was changed by another request meanwhile.`, {
    hint: "Read it again and repeat your change.",
  });
