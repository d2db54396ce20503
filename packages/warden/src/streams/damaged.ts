/** What readers of a stream are given in place of an event that cannot be read. */
import { DAMAGED_TEXT, type EventId, type RoomId, type Stored, UNKNOWN_AGENT } from "@hearth/protocol";
import type { Log } from "../observe/log.ts";
import type { Row } from "../store/tables.ts";

type Damaged = Pick<Row<"events">, "stream" | "offset" | "id" | "type" | "at">;

/** A message stays a message, so that a room shows where it stood; its author is lost with its body. */
export const placeholderOf = ({ stream, offset, id, type, at }: Damaged): Stored => {
  const place = { id: id as EventId, offset, at };
  if (!stream.startsWith(ROOM)) return { ...place, type: "damaged", was: type };
  const room = stream.slice(ROOM.length) as RoomId;
  if (type !== "message") return { ...place, type: "damaged", was: type, room };
  return {
    ...place,
    type: "message",
    room,
    author: UNKNOWN_AGENT,
    body: { format: "markdown", text: DAMAGED_TEXT },
    mentions: [],
    causes: [],
    damaged: true,
  };
};

/** Writes each damaged event to the log once. */
export const createDamageReport = (log: Log | undefined): ((row: Damaged, error: unknown) => void) => {
  const reported = new Set<string>();
  return ({ stream, offset, type }, error) => {
    const name = `${stream} ${offset}`;
    if (reported.has(name)) return;
    if (reported.size >= MAX_REPORTED) reported.clear();
    reported.add(name);
    log?.write("error", "an event is damaged and is shown as such", { stream, offset, type, error });
  };
};

const ROOM = "room:";
const MAX_REPORTED = 1000;
