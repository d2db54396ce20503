/** Reads the latest messages of a room as they are now: with edits applied, and without deleted messages. */
import { currentMessages } from "../../agents/index.ts";
import type { DurableStreams } from "../../kernel/index.ts";
import type { RoomId, StoredMessage } from "@hearth/protocol";

/** Number of offsets to read at first. It is doubled until enough messages are found. */
const FIRST_WINDOW_SIZE = 25;
/**
 * When this many offsets have been read, fewer messages than wanted are returned. Edits and deletions
 * have offsets too.
 */
const MAX_WINDOW = 400;

/** Returns up to `count` messages, oldest first. */
export const lastMessages = async (
  streams: Pick<DurableStreams, "head" | "read">,
  room: RoomId,
  count: number,
): Promise<readonly StoredMessage[]> => {
  const stream = `room:${room}` as const;
  const head = await streams.head(stream);
  for (let windowSize = FIRST_WINDOW_SIZE; ; windowSize *= 2) {
    const start = Math.max(0, head - windowSize);
    const { messages, removed } = currentMessages(await streams.read(stream, start, head - start));
    const visibleMessages = messages.filter(({ id }) => !removed.has(id));
    if (visibleMessages.length >= count || start === 0 || windowSize >= MAX_WINDOW)
      return visibleMessages.slice(-count);
  }
};
