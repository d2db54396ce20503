/**
 * Chats are further direct rooms of two agents, with titles. Each person arranges rooms in their
 * own list.
 */
import type { DurableStreams, Row, Store } from "../../kernel/index.ts";
import {
  type AgentId,
  type ChangeRoomView,
  type EventId,
  HearthError,
  isArchived,
  isHearthError,
  nameToHandle,
  type RoomId,
  type RoomRecord,
  type RoomView,
  type RoomViews,
  titleFromText,
  type World,
} from "@hearth/protocol";
import { withoutHidden } from "../records/plain-name.ts";
import type { Records } from "../records/records.ts";

export interface Chats {
  /** Returns another direct room of the two, or one of them without events. */
  begin(person: AgentId, agent: AgentId): Promise<RoomRecord>;
  /**
   * Returns a new direct room with the same members, and copies of the messages up to this one.
   * Throws `auth.denied`, `record.invalid`, `message.not-found`.
   */
  branch(room: RoomRecord, message: EventId, person: AgentId): Promise<RoomRecord>;
  /** Returns the rooms that the person pinned or archived, with the head of the person's log. */
  views(person: AgentId): Promise<RoomViews>;
  /** Changes the person's view of the room, with an event in their log in the same commit. */
  setView(person: AgentId, room: RoomId, change: ChangeRoomView): Promise<RoomView>;
  /** Gives a direct room a title, or removes it. Throws `record.invalid` for another room. */
  rename(room: RoomRecord, title: string | null, by: AgentId): Promise<RoomRecord>;
  /** Gives the room the title from this message, if it waits for one. */
  titleFrom(room: RoomRecord, message: EventId, text: string, by: AgentId): Promise<void>;
  /**
   * Changes the title that this message gave. `text` is the message's new text, or undefined if
   * it was deleted.
   */
  retitle(room: RoomId, message: EventId, text: string | undefined, by: AgentId): Promise<void>;
}

export interface ChatsOptions {
  readonly world: World;
  readonly store: Store;
  readonly records: Records;
  readonly streams: DurableStreams;
}

export const createChats = ({ world, store, records, streams }: ChatsOptions): Chats => {
  const findEmptyChat = async (a: AgentId, b: AgentId): Promise<RoomRecord | undefined> => {
    const untitledChats = (await records.list("room")).filter(
      ({ content: { kind, members, titleFrom, branch } }) =>
        kind === "direct" &&
        branch === undefined &&
        titleFrom === "next" &&
        members?.includes(a) === true &&
        members.includes(b),
    );
    const heads = await streams.heads(untitledChats.map(({ id }) => `room:${id}` as const));
    return untitledChats.find(({ id }) => heads.get(`room:${id}`) === undefined);
  };

  const viewOf = async (person: AgentId, room: RoomId): Promise<Row<"room_views"> | undefined> => {
    const [row] = await store.select({ table: "room_views", where: { agent: person, room } });
    return row;
  };

  const headOf = async (stream: `room:${RoomId}` | `agent:${AgentId}`): Promise<number> =>
    (await streams.heads([stream])).get(stream)?.offset ?? 0;

  const create = async (person: AgentId, agent: AgentId, extraContent: Pick<RoomRecord["content"], "branch"> = {}) => {
    const [personRecord, agentRecord] = await Promise.all([records.get("agent", person), records.get("agent", agent)]);
    const bot = agentRecord.content.kind === "bot" ? agentRecord : personRecord;
    const name = withoutHidden(bot.content.name);
    for (let count = 2; ; count++) {
      const numberedName = `${name} ${count}`;
      if ((await records.find("room", nameToHandle(numberedName), bot.house)) !== undefined) continue;
      const content = {
        name: numberedName,
        kind: "direct",
        members: [person, agent],
        titleFrom: "next",
        ...extraContent,
      };
      try {
        const room = await records.mutate(
          { kind: "create", type: "room", house: bot.house, level: "none", content },
          person,
        );
        return room as RoomRecord;
      } catch (error) {
        // Another request took the name.
        if (!isHearthError(error, "record.handle-taken")) throw error;
      }
    }
  };

  return {
    begin: async (person, agent) => (await findEmptyChat(person, agent)) ?? create(person, agent),

    async branch(room, message, person) {
      const { branchChat } = await import("./branch.ts");
      return branchChat({ world, store, streams, create }, room, message, person);
    },

    async views(person) {
      // The head is read before the rows, so that a later change is in the log after the head.
      const head = await headOf(`agent:${person}`);
      const rows = await store.select({ table: "room_views", where: { agent: person } });
      const heads = await streams.heads(rows.map(({ room }) => `room:${room}` as const));
      const views = rows.map(toView).map((view) => {
        const isBack = !isArchived(view, heads.get(`room:${view.room}`)?.offset ?? 0);
        return isBack ? withoutArchive(view) : view;
      });
      return { agent: person, views: views.filter((view) => Object.keys(view).length > 1), head };
    },

    async setView(person, room, { pinned, archived }) {
      for (;;) {
        const currentView = await viewOf(person, room);
        const at = world.clock.now();
        const row: Row<"room_views"> = {
          agent: person,
          room,
          pinned_at: pinned === undefined ? (currentView?.pinned_at ?? null) : pinned ? at : null,
          archived_head:
            archived === undefined
              ? (currentView?.archived_head ?? null)
              : archived
                ? await headOf(`room:${room}`)
                : null,
        };
        const view = toView(row);
        const result = await streams.commit({
          // Another change in between would be lost.
          guards: [
            currentView === undefined
              ? { kind: "absent", table: "room_views", where: { agent: person, room } }
              : { kind: "exists", table: "room_views", where: currentView },
          ],
          writes: [{ kind: "put", table: "room_views", row }],
          events: [
            { stream: `agent:${person}`, id: world.ids.fresh("evt"), event: { type: "room-view-changed", at, view } },
          ],
        });
        if (result.kind === "committed") return view;
      }
    },

    async rename(room, title, by) {
      if (room.content.kind !== "direct")
        throw new HearthError("record.invalid", `${room.content.name} is not a direct room and has no title.`, {
          hint: `Change its name: hearth room edit ${room.handle} --name NAME`,
        });
      const content = { title, titleFrom: null };
      return (await records.mutate({ kind: "update", id: room.id, content }, by)) as RoomRecord;
    },

    async titleFrom(room, message, text, by) {
      if (room.content.titleFrom !== "next") return;
      const title = toTitle(text);
      if (title === undefined) return;
      const content = { title, titleFrom: message };
      try {
        await records.mutate({ kind: "update", id: room.id, content, version: room.version }, by);
      } catch (error) {
        // The message is stored. A person or another message was first, or the room was removed.
        if (!isHearthError(error, "record.version") && !isHearthError(error, "record.not-found")) throw error;
      }
    },

    async retitle(id, message, text, by) {
      const title = text === undefined ? undefined : toTitle(text);
      const content = title === undefined ? { title: null, titleFrom: "next" } : { title };
      for (;;) {
        const room = await records.find("room", id);
        if (room?.content.titleFrom !== message) return;
        try {
          await records.mutate({ kind: "update", id, content, version: room.version }, by);
          return;
        } catch (error) {
          if (!isHearthError(error, "record.version")) throw error;
        }
      }
    },
  };
};

const toTitle = (text: string): string | undefined => {
  const lines = text.slice(0, MAX_TITLE_SOURCE).replaceAll("\t", " ").split(/\r?\n/);
  return titleFromText(lines.map(withoutHidden).join("\n"));
};

/** Only the beginning of a long message can become a title. */
const MAX_TITLE_SOURCE = 2_000;

/** A room with later events is no longer archived. */
const withoutArchive = ({ archivedHead: _, ...view }: RoomView): RoomView => view;

const toView = ({ room, pinned_at, archived_head }: Row<"room_views">): RoomView => ({
  room,
  ...(pinned_at === null ? {} : { pinnedAt: pinned_at }),
  ...(archived_head === null ? {} : { archivedHead: archived_head }),
});
