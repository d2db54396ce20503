/** Reading the events of a stream, and the last offsets of rooms. */
import { z } from "zod";
import { RoomId } from "../base/ids.ts";
import { StoredEvent } from "../events/stored.ts";

/**
 * Query of every stream: the events after an offset, or the last ones before an offset. Oldest
 * first in both cases.
 */
export const ReadQuery = z.object({
  after: z.coerce.number().int().nonnegative().default(0),
  /**
   * The epoch of the page that returned `after`. If the house has another epoch, the offset is
   * stale and the answer is `stream.behind`.
   */
  epoch: z.string().max(64).optional(),
  /**
   * Instead of `after`: the last `limit` events before this offset, or before the end. Never waits.
   */
  before: z.union([z.literal("end"), z.coerce.number().int().positive()]).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  /** Long poll: waits up to this many milliseconds for the first event. */
  wait: z.coerce.number().int().min(0).max(60_000).default(0),
});
/**
 * A page of events. `next`: the `after` of the next read. `head`: the offset of the stream's last
 * event, or 0 if it is empty. `epoch` qualifies both: offsets of another epoch were issued before
 * the house was restored from a backup.
 */
export const EventPage = z.object({
  events: z.array(StoredEvent),
  next: z.int().nonnegative(),
  head: z.int().nonnegative(),
  /** Absent: the house runs a version without epochs. */
  epoch: z.string().exactOptional(),
});
export type EventPage = z.infer<typeof EventPage>;

/**
 * The offset and time of a room's last event. If the room is empty, `head` is 0 and `at` is absent.
 */
export const RoomHead = z.object({ room: RoomId, head: z.int().nonnegative(), at: z.int().optional() });
export type RoomHead = z.infer<typeof RoomHead>;
export const RoomHeadList = z.array(RoomHead);
