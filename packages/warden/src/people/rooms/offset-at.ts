/** Finds the place of an instant in a room. */
import type { DurableStreams } from "../../kernel/index.ts";
import type { RoomId } from "@hearth/protocol";

/** Returns the offset of the first event at this instant or later, by a binary search. */
export const offsetAt = async (
  streams: Pick<DurableStreams, "head" | "read">,
  room: RoomId,
  time: number,
): Promise<number | undefined> => {
  const stream = `room:${room}` as const;
  const head = await streams.head(stream);
  let [low, high] = [0, head];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [event] = await streams.read(stream, middle, 1);
    if (event === undefined || event.at >= time) high = middle;
    else low = middle + 1;
  }
  return low < head ? low + 1 : undefined;
};
