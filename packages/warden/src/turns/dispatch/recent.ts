/** The last messages of a room as they stand now: with their last edit, without those that were taken back. */
import { standing } from "../../agents/index.ts";
import type { DurableStreams } from "../../kernel/index.ts";
import type { RoomId, StoredMessage } from "@hearth/protocol";

const FIRST = 25;
/** Edits and deletions take up offsets too: how much is looked through at most. */
const FURTHEST = 400;

/** Up to `count`, oldest first. */
export const lastMessages = async (
  streams: Pick<DurableStreams, "head" | "read">,
  room: RoomId,
  count: number,
): Promise<readonly StoredMessage[]> => {
  const stream = `room:${room}` as const;
  const head = await streams.head(stream);
  for (let size = FIRST; ; size *= 2) {
    const start = Math.max(0, head - size);
    const { messages, removed } = standing(await streams.read(stream, start, head - start));
    const shown = messages.filter(({ id }) => !removed.has(id));
    if (shown.length >= count || start === 0 || size >= FURTHEST) return shown.slice(-count);
  }
};
