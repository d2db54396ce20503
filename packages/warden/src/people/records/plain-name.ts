/**
 * Names of records: that there is nothing in one which people do not see, what becomes of what a platform calls someone or a group, what direct
 * rooms are called, and what agents are told of that.
 */
import type { Store } from "../../kernel/index.ts";
import {
  type AgentRecord,
  type ErrorCode,
  HearthError,
  MAX_NAME_LENGTH,
  nameToHandle,
  type RoomRecord,
} from "@hearth/protocol";
import type { Records } from "./records.ts";

/** Code units of the longest that is left of a name, with room for what tells it from others of that name. */
const LONGEST = MAX_NAME_LENGTH - 100;

/** They belong to scripts and emoji, and change the character before them, or join it to the next. */
const VARIANTS = String.raw`\u{34F}\u{180B}-\u{180D}\u{180F}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}`;
const JOINERS = String.raw`\u{200C}\u{200D}`;
/** Controls, halves of characters, what turns the direction of writing, separators of lines, and whatever else shows nothing. */
const UNSEEN = String.raw`\p{Cc}\p{Cs}\p{DI}\p{Zl}\p{Zp}\u{FFF9}-\u{FFFB}\u{2800}\u{1D159}`;
const SHOWN = String.raw`[^\0-\x7F${UNSEEN}]`;
/** England, Scotland and Wales: the flags that are written with letters of tags. */
const FLAGS = String.raw`\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`;
/** Tags stand in those flags alone; variants and joiners where there is something for them to change. No sets of sets: the engine takes long for them. */
const HIDDEN = new RegExp(
  [
    FLAGS,
    String.raw`(?<hidden>(?![${VARIANTS}${JOINERS}])[${UNSEEN}]|(?<!${SHOWN})[${VARIANTS}](?!\u{20E3})|(?<!${SHOWN}|[${VARIANTS}])[${JOINERS}]|[${JOINERS}](?!${SHOWN}))`,
  ].join("|"),
  "gu",
);
const TURNS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;

/** The same name without what nobody sees. */
export const withoutHidden = (name: string): string =>
  name.replace(HIDDEN, (all, hidden?: string) => (hidden === undefined ? all : ""));

/** Throws where there is something in a name that people do not see, or that moves what stands beside it. */
export const requireSeen = (code: ErrorCode, what: string, name: string): void => {
  const hidden = [...name.matchAll(HIDDEN)].find(({ groups }) => groups?.["hidden"] !== undefined)?.[0];
  if (hidden === undefined) return;
  const point = (hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const why = /\p{Cc}/u.test(hidden)
    ? "a control character"
    : TURNS.test(hidden)
      ? "which turns the direction of writing"
      : "which nobody sees";
  throw new HearthError(code, `${what} has U+${point} in it, ${why}.`, {
    hint: `Leave it out: ${JSON.stringify(withoutHidden(name))}. Letters of any script and emoji are welcome.`,
  });
};

/** On one line, well formed, neither empty nor endless; else `fallback`, which is ours. */
export const plainName = (given: string, fallback: string): string => {
  const visible = withoutHidden(given.toWellFormed().replaceAll(/[\s\p{C}]+/gu, " ")).trim();
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
    const own = groups.find((group) => withoutHidden(name).startsWith(plainName(group.name, group.channel)));
    return own === undefined ? name : `a group of ${own.channel}`;
  };

type Named = Pick<AgentRecord["content"], "name">;

/** What the direct room of a bot and a person may be called: the first of these that no other room is. */
export const directNames = (bot: Named, person: Named): readonly [string, string] => {
  const name = withoutHidden(bot.name);
  return [name, `${name} and ${withoutHidden(person.name)}`];
};

/** What direct rooms are called once an agent has another name: those that bear the old one, and whose new one no other room has. */
export const namesOfRooms = async (
  { list, find }: Pick<Records, "list" | "find">,
  before: AgentRecord,
  after: AgentRecord,
): Promise<ReadonlyMap<RoomRecord, string>> => {
  const all = await list("room");
  const placeOf = (room: RoomRecord, name: string): string => `${room.house} ${nameToHandle(name)}`;
  const taken = new Set(all.map(({ house, handle }) => `${house} ${handle}`));
  const names = new Map<RoomRecord, string>();
  for (const room of all) {
    const { kind, members = [], name } = room.content;
    const other = kind === "direct" && members.includes(after.id) ? members.find((id) => id !== after.id) : undefined;
    const partner = other === undefined ? undefined : await find("agent", other);
    if (partner === undefined) continue;
    const namesOf = (agent: AgentRecord): readonly string[] =>
      agent.content.kind === "bot"
        ? directNames(agent.content, partner.content)
        : directNames(partner.content, agent.content);
    const worn = namesOf(before).indexOf(withoutHidden(name));
    if (worn === -1) continue;
    const next = namesOf(after)
      .slice(worn)
      .find((one) => nameToHandle(one) === room.handle || !taken.has(placeOf(room, one)));
    if (next === undefined || next === name) continue;
    taken.add(placeOf(room, next));
    names.set(room, next);
  }
  return names;
};
