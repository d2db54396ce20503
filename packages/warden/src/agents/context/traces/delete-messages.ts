/** Deletes forgotten messages: their texts, edits, reactions, files, deliveries, titles and copies in branches. */
import { writeJson, type Store, type Write, type DurableStreams, type NewEvent } from "../../../kernel/index.ts";
import type { Records, Uploads } from "../../../people/index.ts";
import { copyId } from "../../../people/lazy.ts";
import {
  type AgentId,
  type ErrorBody,
  type EventId,
  isHearthError,
  type MessageEvent,
  type RoomId,
  type StoredMessage,
  type World,
} from "@hearth/protocol";
import { eventOf, redact } from "./redact.ts";

/** Final states of a delivery. */
const FINAL_STATES = ["sent", "unknown", "refused"] as const;

export const createDeleteMessages = (options: {
  readonly world: Pick<World, "clock" | "ids">;
  readonly store: Pick<Store, "select">;
  readonly streams: Pick<DurableStreams, "commit" | "find">;
  readonly records: Pick<Records, "list" | "find" | "mutate">;
  readonly uploads: Pick<Uploads, "planRemoval" | "erase">;
}) => {
  const { world, store, streams, records, uploads } = options;

  /** Deletes the message's text, its reactions and its files. The message keeps its offset. */
  const deleteMessage = async ({ id, offset, room }: StoredMessage, by: AgentId): Promise<readonly string[]> => {
    const stream = `room:${room}` as const;
    const at = world.clock.now();
    const tombstone: NewEvent = {
      stream,
      id: world.ids.derive("evt", id, "deleted"),
      event: { type: "message-deleted", room, by, at, message: id },
    };
    const messageRows = await store.select({ table: "events", where: { stream, id } });
    await removeTitle(records, room, id, by);
    const changeRows = await Promise.all(
      (["message-edited", "message-reacted"] as const).map((type) =>
        store.select({ table: "events", where: { stream, type } }),
      ),
    );
    const laterRows = changeRows.flat().filter((row) => row.offset > offset);
    const writes: Write[] = [];
    const blobs: string[] = [];
    for (const row of [...messageRows, ...laterRows]) {
      const event = await streams.find(stream, row.id);
      if (event?.type === "message") writes.push(redact(stream, id, eraseText(event)));
      else if (event?.type === "message-edited" && event.message === id)
        writes.push(redact(stream, event.id, { ...eventOf(event), body: { format: "markdown", text: "" } }));
      else if (event?.type === "message-reacted" && event.message === id)
        writes.push(redact(stream, event.id, { ...eventOf(event), emoji: "", isOn: false }));
      else continue;
      if (row.blob !== null) blobs.push(row.blob);
    }
    const files = await uploads.planRemoval(id);
    const attachments = await store.select({ table: "attachments", where: { event: id } });
    await streams.commit({
      writes: [...writes, ...files.writes, ...(await planDeliveryCancellation(id))],
      events: [tombstone],
    });
    for (const { upload } of attachments) blobs.push(...(await uploads.erase(upload)));
    return blobs;
  };

  /** Returns the copies of these messages in branches of their chats, and the copies of copies. */
  const findCopies = async (originals: readonly StoredMessage[]): Promise<readonly StoredMessage[]> => {
    const branches = (await records.list("room")).filter(({ content }) => content.branch !== undefined);
    const copies: StoredMessage[] = [];
    let sources = originals;
    while (sources.length > 0 && branches.length > 0) {
      const foundCopies: StoredMessage[] = [];
      for (const { id, room } of sources)
        for (const branch of branches.filter(({ content }) => content.branch?.room === room)) {
          const event = await streams.find(`room:${branch.id}`, copyId(world.ids, branch.id, id));
          if (event?.type === "message") foundCopies.push(event);
        }
      copies.push(...foundCopies);
      sources = foundCopies;
    }
    return copies;
  };

  /** Cancels the deliveries that are not sent yet. A sent delivery cannot be recalled. */
  const planDeliveryCancellation = async (event: EventId): Promise<readonly Write[]> => {
    const clearedColumns = { body: "", choices: null };
    const error = writeJson<ErrorBody>({ code: "channel.refused", message: "It was forgotten." });
    return [
      ...FINAL_STATES.map(
        (state) => ({ kind: "update", table: "outbox", where: { event, state }, set: clearedColumns }) as const,
      ),
      {
        kind: "update",
        table: "outbox",
        where: { event, state: "queued" },
        set: { ...clearedColumns, state: "refused", error, ended_at: world.clock.now() },
      },
    ];
  };

  /** Deletes the messages. Returns the hashes of blobs that the caller may delete. */
  return async (messages: readonly StoredMessage[], by: AgentId): Promise<readonly string[]> => {
    const blobs: string[] = [];
    const deletedIds = new Set<EventId>();
    for (const event of [...messages, ...(await findCopies(messages))]) {
      if (deletedIds.has(event.id)) continue;
      deletedIds.add(event.id);
      blobs.push(...(await deleteMessage(event, by)));
    }
    return blobs;
  };
};

const eraseText = (event: StoredMessage): MessageEvent => {
  const { id: _id, offset: _offset, label: _label, attachments: _attachments, ...content } = event;
  return { ...content, body: { format: "markdown", text: "" } };
};

/**
 * Removes a chat's title that comes from this message. The next message then gives the chat its
 * title.
 */
const removeTitle = async (
  records: Pick<Records, "find" | "mutate">,
  room: RoomId,
  message: EventId,
  by: AgentId,
): Promise<void> => {
  for (;;) {
    const record = await records.find("room", room);
    if (record?.content.titleFrom !== message) return;
    const content = { title: null, titleFrom: "next" };
    try {
      await records.mutate({ kind: "update", id: room, content, version: record.version }, by);
      return;
    } catch (error) {
      if (!isHearthError(error, "record.version")) throw error;
    }
  }
};
