/** Reports one fate for every message that a person wrote in a room. Read-only. */
import type { FatePage, FateQuery, RoomId } from "@hearth/protocol";

export interface Fates {
  /** Fates of the messages after the offset, oldest first. */
  list(room: RoomId, query: FateQuery): Promise<FatePage>;
}
