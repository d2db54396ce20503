/** The one fate of every message that a person wrote in a room. Reads what is there and changes nothing. */
import type { FatePage, FateQuery, RoomId } from "@hearth/protocol";

export interface Fates {
  /** Of messages after the offset, oldest first. */
  list(room: RoomId, query: FateQuery): Promise<FatePage>;
}
