/**
 * Names of records: rejects invisible characters, converts names from platforms, and names direct
 * rooms, for people and agents.
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

/**
 * Maximum length of a converted name in code units, which leaves room for a distinguishing suffix.
 */
const MAX_CONVERTED_LENGTH = MAX_NAME_LENGTH - 100;

/**
 * Variation selectors and joiners, which belong to scripts and emoji and change adjacent
 * characters.
 */
const VARIANTS = String.raw`\u{34F}\u{180B}-\u{180D}\u{180F}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}`;
const JOINERS = String.raw`\u{200C}\u{200D}`;
/**
 * Controls, lone surrogates, direction controls, line separators, and other invisible characters.
 */
const INVISIBLE = String.raw`\p{Cc}\p{Cs}\p{DI}\p{Zl}\p{Zp}\u{FFF9}-\u{FFFB}\u{2800}\u{1D159}`;
const VISIBLE = String.raw`[^\0-\x7F${INVISIBLE}]`;
/** The flags of England, Scotland and Wales, which consist of tag characters. */
const FLAGS = String.raw`\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`;
/**
 * Tags are allowed only in those flags; variation selectors and joiners only beside a character
 * they can change. No nested sets, which the engine compiles slowly.
 */
const HIDDEN = new RegExp(
  [
    FLAGS,
    String.raw`(?<hidden>(?![${VARIANTS}${JOINERS}])[${INVISIBLE}]|(?<!${VISIBLE})[${VARIANTS}](?!\u{20E3})|(?<!${VISIBLE}|[${VARIANTS}])[${JOINERS}]|[${JOINERS}](?!${VISIBLE}))`,
  ].join("|"),
  "gu",
);
const DIRECTION_CONTROLS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;

/** Returns the name without invisible characters. */
export const withoutHidden = (name: string): string =>
  name.replace(HIDDEN, (match, hidden?: string) => (hidden === undefined ? match : ""));

/** Throws if a name has characters that are invisible or reorder the text around them. */
export const requireVisible = (code: ErrorCode, subject: string, name: string): void => {
  const hidden = [...name.matchAll(HIDDEN)].find(({ groups }) => groups?.["hidden"] !== undefined)?.[0];
  if (hidden === undefined) return;
  const point = (hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const why = /\p{Cc}/u.test(hidden)
    ? "a control character"
    : DIRECTION_CONTROLS.test(hidden)
      ? "which changes the text direction"
      : "which is invisible";
  throw new HearthError(code, `${subject} contains U+${point}, ${why}.`, {
    hint: `Remove it: ${JSON.stringify(withoutHidden(name))}. Letters of any script and emoji are allowed.`,
  });
};

/**
 * Returns a visible name on one line, well formed, and cut to its maximum length, or otherwise
 * `fallback`, which the house chooses.
 */
export const plainName = (name: string, fallback: string): string => {
  const visible = withoutHidden(name.toWellFormed().replaceAll(/[\s\p{C}]+/gu, " ")).trim();
  return (visible === "" ? fallback : visible).slice(0, MAX_CONVERTED_LENGTH).toWellFormed();
};

/**
 * A room's name as agents see it. Members of a platform choose a group's title, so it is untrusted:
 * agents get a neutral name until a person of the house renames the room.
 */
export type RoomName = (room: Pick<RoomRecord, "id" | "content">) => Promise<string>;

export const createRoomName =
  ({ store }: { readonly store: Pick<Store, "select"> }): RoomName =>
  async ({ id, content: { kind, name } }) => {
    if (kind !== "group") return name;
    const groups = await store.select({ table: "conversations", where: { room: id, kind } });
    // The name may have a suffix that distinguishes it from equal titles.
    const ownGroup = groups.find((group) => withoutHidden(name).startsWith(plainName(group.name, group.channel)));
    return ownGroup === undefined ? name : `a group of ${ownGroup.channel}`;
  };

type Named = Pick<AgentRecord["content"], "name">;

/**
 * Returns the possible names of a direct room of a bot and a person. The first free one is used.
 */
export const directNames = (bot: Named, person: Named): readonly [string, string] => {
  const name = withoutHidden(bot.name);
  return [name, `${name} and ${withoutHidden(person.name)}`];
};

/**
 * Returns the new names of direct rooms after an agent was renamed: of those with the old name, if
 * the new one is free.
 */
export const namesOfRooms = async (
  { list, find }: Pick<Records, "list" | "find">,
  before: AgentRecord,
  after: AgentRecord,
): Promise<ReadonlyMap<RoomRecord, string>> => {
  const rooms = await list("room");
  const placeOf = (room: RoomRecord, name: string): string => `${room.house} ${nameToHandle(name)}`;
  const takenHandles = new Set(rooms.map(({ house, handle }) => `${house} ${handle}`));
  const names = new Map<RoomRecord, string>();
  for (const room of rooms) {
    const { kind, members = [], name } = room.content;
    const partnerId =
      kind === "direct" && members.includes(after.id) ? members.find((id) => id !== after.id) : undefined;
    const partner = partnerId === undefined ? undefined : await find("agent", partnerId);
    if (partner === undefined) continue;
    const namesOf = (agent: AgentRecord): readonly string[] =>
      agent.content.kind === "bot"
        ? directNames(agent.content, partner.content)
        : directNames(partner.content, agent.content);
    const nameIndex = namesOf(before).indexOf(withoutHidden(name));
    if (nameIndex === -1) continue;
    const newName = namesOf(after)
      .slice(nameIndex)
      .find((name) => nameToHandle(name) === room.handle || !takenHandles.has(placeOf(room, name)));
    if (newName === undefined || newName === name) continue;
    takenHandles.add(placeOf(room, newName));
    names.set(room, newName);
  }
  return names;
};
