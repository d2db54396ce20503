/** Chats: the direct rooms of a person and an agent, as that person arranged them. */
import { z } from "zod";
import { AgentId, RoomId } from "../base/ids.ts";
import { RecordName, type RoomRecord } from "./record.ts";

/** How one person arranged a room in their list. Absent fields: not pinned, not archived. */
export const RoomView = z.object({
  room: RoomId,
  /** When it was pinned, in UTC milliseconds. */
  pinnedAt: z.int().optional(),
  /** The head of the room when it was archived. A later event brings the room back. */
  archivedHead: z.int().nonnegative().optional(),
});
export type RoomView = z.infer<typeof RoomView>;

export const RoomViews = z.object({
  /** The caller, whose log announces later changes. */
  agent: AgentId,
  views: z.array(RoomView),
  /** The head of the caller's own log when the views were read: follow the log from there. */
  head: z.int().nonnegative(),
});
export type RoomViews = z.infer<typeof RoomViews>;

/** Absent fields stay as they are. */
export const ChangeRoomView = z
  .strictObject({ pinned: z.boolean().optional(), archived: z.boolean().optional() })
  .refine(({ pinned, archived }) => pinned !== undefined || archived !== undefined, "changes nothing");
export type ChangeRoomView = z.infer<typeof ChangeRoomView>;

/** Without a title, the room is shown by its name again. */
export const RenameRoom = z.strictObject({ title: RecordName.nullable() });
export type RenameRoom = z.infer<typeof RenameRoom>;

/** Whether the person archived the room, and nothing happened in it since. `head` is the head of the room. */
export const isArchived = (view: RoomView | undefined, head: number): boolean =>
  view?.archivedHead !== undefined && head <= view.archivedHead;

/** Returns the text that people see for a room, or undefined for a new chat without a message. */
export const titleOfRoom = ({ content }: Pick<RoomRecord, "content">): string | undefined =>
  content.title ?? (content.titleFrom === "next" ? undefined : content.name);

/** Whether a message gave the title. The log of the house names the message, and not the title. */
export const isTitleDerived = ({ content: { titleFrom } }: Pick<RoomRecord, "content">): boolean =>
  titleFrom !== undefined && titleFrom !== "next";

/** Maximum length of a title that a message gives, in code points. */
const MAX_TITLE_LENGTH = 60;

/**
 * Returns a title from the first line of a message that has letters or digits, without Markdown
 * marks and cut after a word, or undefined if no line has any.
 */
export const titleFromText = (text: string): string | undefined => {
  for (const line of text.toWellFormed().split(/\r?\n/)) {
    const plainLine = line
      .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replace(/^(?:\s|[>#*+-]+\s)+/, "")
      .replaceAll(/([`*~]{1,3})(\S(?:.*?\S)?)\1/g, "$2")
      .replaceAll(/[\s\p{Cc}]+/gu, " ")
      .trim();
    if (/[\p{L}\p{N}]/u.test(plainLine)) return cutAtWord(plainLine);
  }
  return undefined;
};

const cutAtWord = (text: string): string => {
  const codePoints = [...text];
  if (codePoints.length <= MAX_TITLE_LENGTH) return text;
  const start = codePoints.slice(0, MAX_TITLE_LENGTH).join("");
  const end = codePoints[MAX_TITLE_LENGTH] === " " ? start.length : start.lastIndexOf(" ");
  // Text without spaces, such as Chinese or a long address, is cut between characters.
  const shortened = end > start.length / 2 ? start.slice(0, end) : start;
  return `${shortened.replace(/[\s.,:;!?…-]+$/u, "")}…`;
};
