/** Writes the messages of each room as Markdown for people: `rooms/HOUSE/ROOM/DAY.md`, one page per day. */
import {
  type AnyEvent,
  DAMAGED_TEXT,
  type EventId,
  isHearthError,
  readableText,
  type StoredReaction,
  toReactions,
} from "@hearth/protocol";
import type { Blobs } from "../../../kernel/store/blobs.ts";
import { unpackBody } from "../../../kernel/store/bodies.ts";
import type { Row } from "../../../kernel/store/tables/tables.ts";
import { readEvent } from "../../../kernel/streams/event-versions.ts";
import type { Snapshot } from "../backup/snapshot.ts";

export interface RoomPage {
  /** Relative to the export. */
  readonly path: string;
  readonly text: string;
}

interface PageSources {
  readonly snapshot: Pick<Snapshot, "select">;
  readonly blobs: Pick<Blobs, "get">;
}

interface Room extends PageSources {
  readonly stream: string;
  readonly folder: string;
  readonly title: string;
  /** Handles by the ids of records. */
  readonly handles: ReadonlyMap<string, string>;
}

const PREFIX = "room:";

/** Pages of all rooms. A day ends at midnight UTC. */
export const roomPages = async function* (sources: PageSources): AsyncGenerator<RoomPage> {
  const records = await sources.snapshot.select({ table: "records" });
  const handles = new Map<string, string>(records.map(({ id, handle }) => [id, handle]));
  for (const { stream } of await sources.snapshot.select({ table: "heads", order: [{ column: "stream" }] })) {
    if (!stream.startsWith(PREFIX)) continue;
    const id = stream.slice(PREFIX.length);
    const room = records.find((record) => record.id === id);
    // A room that was removed has no handle.
    const folder = room === undefined ? `removed/${id}` : `${handles.get(room.house) ?? room.house}/${room.handle}`;
    yield* pagesOf({ ...sources, stream, folder, title: room?.handle ?? id, handles });
  }
};

const DAY_LENGTH = "2026-01-31".length;

const pagesOf = async function* (room: Room): AsyncGenerator<RoomPage> {
  const changes = await readChanges(room);
  let day = "";
  let entries: string[] = [];
  const toPage = (): RoomPage => ({
    path: `rooms/${room.folder}/${day}.md`,
    text: `${[`# ${room.title}, ${day}`, "Times are UTC.", ...entries].join("\n\n")}\n`,
  });
  for await (const { id, at, event } of eventsOf(room)) {
    const time = new Date(at).toISOString();
    const entry = toEntry({ id, event, time, changes, handles: room.handles });
    if (entry === undefined) continue;
    if (time.slice(0, DAY_LENGTH) !== day) {
      if (entries.length > 0) yield toPage();
      day = time.slice(0, DAY_LENGTH);
      entries = [];
    }
    entries.push(entry);
  }
  if (entries.length > 0) yield toPage();
};

/** Events per query. */
const ROWS_PER_PAGE = 200;

interface ReadEvent {
  readonly id: EventId;
  readonly at: number;
  /** Undefined: its body is missing or damaged. */
  readonly event: AnyEvent | undefined;
}

const eventsOf = async function* ({ snapshot, blobs, stream }: Room): AsyncGenerator<ReadEvent> {
  for (let lastOffset = 0; ;) {
    const rows = await snapshot.select({
      table: "events",
      where: { stream },
      and: [{ column: "offset", is: ">", value: lastOffset }],
      order: [{ column: "offset" }],
      limit: ROWS_PER_PAGE,
    });
    for (const row of rows) yield { id: row.id, at: row.at, event: await readBody(row, blobs) };
    lastOffset = rows.at(-1)?.offset ?? lastOffset;
    if (rows.length < ROWS_PER_PAGE) return;
  }
};

const readBody = async (row: Row<"events">, blobs: Pick<Blobs, "get">): Promise<AnyEvent | undefined> => {
  try {
    return readEvent(row.type, await unpackBody(blobs, { inline: row.body, blob: row.blob }));
  } catch (error) {
    if (!isHearthError(error, "store.damaged")) throw error;
    return undefined;
  }
};

interface Changes {
  /** The last text of each edited message. It is undefined if the message was deleted. */
  readonly texts: ReadonlyMap<EventId, string | undefined>;
  readonly reactions: ReadonlyMap<EventId, readonly StoredReaction[]>;
}

const readChanges = async (room: Room): Promise<Changes> => {
  const texts = new Map<EventId, string | undefined>();
  const reactions = new Map<EventId, StoredReaction[]>();
  let offset = 0;
  for await (const { id, event } of eventsOf(room)) {
    offset += 1;
    if (event?.type === "message-edited") texts.set(event.message, event.body.text);
    if (event?.type === "message-deleted") texts.set(event.message, undefined);
    if (event?.type !== "message-reacted") continue;
    const messageReactions = reactions.get(event.message) ?? [];
    reactions.set(event.message, messageReactions);
    messageReactions.push({ ...event, id, offset });
  }
  return { texts, reactions };
};

/** Undefined for events that people do not read as messages. */
const toEntry = (
  options: Omit<ReadEvent, "at"> & {
    readonly time: string;
    readonly changes: Changes;
    readonly handles: ReadonlyMap<string, string>;
  },
): string | undefined => {
  const { id, event, time, changes, handles } = options;
  const timeOfDay = time.slice("2026-01-31T".length, -".000Z".length);
  if (event === undefined) return `**${timeOfDay}**\n\n${DAMAGED_TEXT}`;
  if (event.type === "activation-failed")
    return `**${timeOfDay} ${handles.get(event.agent) ?? event.agent}** could not answer: ${event.error.message}`;
  if (event.type !== "message") return undefined;
  const author = handles.get(event.author) ?? event.author;
  const isEdited = changes.texts.has(id);
  const text = isEdited ? changes.texts.get(id) : event.body.text;
  if (text === undefined) return `**${timeOfDay} ${author}** deleted this message.`;
  const shownText = readableText({ ...event, body: { text } });
  const reactions = toReactions(changes.reactions.get(id) ?? []).map(
    ({ emoji, by }) => `${emoji} ${by.map((agent) => handles.get(agent) ?? agent).join(", ")}`,
  );
  const reactionsLine = reactions.length === 0 ? "" : `\n\nReactions: ${reactions.join(" · ")}`;
  return `**${timeOfDay} ${author}**${isEdited ? " (edited)" : ""}\n\n${shownText}${reactionsLine}`;
};
