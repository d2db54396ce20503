/**
 * Reads the latest messages of a room in their current version: edited, and without deleted ones.
 */
import { currentMessages } from "../../agents/index.ts";
import type { DurableStreams } from "../../kernel/index.ts";
import type { RoomId, StoredMessage } from "@hearth/protocol";

const FIRST = 25;
/** Edits and deletions have offsets too. This is the most offsets to search. */
const FURTHEST = 400;

/** Up to `count` messages, oldest first. */
export const lastMessages = async (
  streams: Pick<DurableStreams, "head" | "read">,
  room: RoomId,
  count: number,
): Promise<readonly StoredMessage[]> => {
  const stream = `room:${room}` as const;
  const head = await streams.head(stream);
  for (let size = FIRST; ; size *= 2) {
    const start = Math.max(0, head - size);
    const { messages, removed } = currentMessages(await streams.read(stream, start, head - start));
    const shown = messages.filter(({ id }) => !removed.has(id));
    if (shown.length >= count || start === 0 || size >= FURTHEST) return shown.slice(-count);
  }
};
