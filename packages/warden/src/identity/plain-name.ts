/** What a platform calls someone or a group, as a name that a record may have; and what agents are told of that. */
import { MAX_NAME_LENGTH, type RoomRecord } from "@hearth/protocol";
import type { Store } from "../store/store.ts";

/** Code units of the longest that is left of a name, with room for what tells it from others of that name. */
const LONGEST = MAX_NAME_LENGTH - 100;

/** On one line, well formed, neither empty nor endless; else `fallback`, which is ours. */
export const plainName = (given: string, fallback: string): string => {
  const visible = given
    .toWellFormed()
    .replaceAll(/[\s\p{C}]+/gu, " ")
    .trim();
  return (visible === "" ? fallback : visible).slice(0, LONGEST).toWellFormed();
};

/**
 * What agents are told that a room is called. A group of a platform has its title from whoever may give it one there: that is no word of the house,
 * and stands in the browser alone, until a person of the house gives the room another name.
 */
export type RoomName = (room: Pick<RoomRecord, "id" | "content">) => Promise<string>;

export const createRoomName =
  ({ store }: { readonly store: Pick<Store, "select"> }): RoomName =>
  async ({ id, content: { kind, name } }) => {
    if (kind !== "group") return name;
    const groups = await store.select({ table: "conversations", where: { room: id, kind } });
    // What tells it from others of that title follows it.
    const own = groups.find((group) => name.startsWith(plainName(group.name, group.channel)));
    return own === undefined ? name : `a group of ${own.channel}`;
  };
