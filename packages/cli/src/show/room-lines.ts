/** Converts a room's events to lines for a terminal. Messages have their latest version. */
import {
  type AgentId,
  readableText,
  type Reaction,
  type StoredEvent,
  type StoredReaction,
  toReactions,
  withoutAddresses,
} from "@hearth/protocol";
import type { Names } from "./names.ts";
import { safeLine } from "./safe-text.ts";

export interface RoomLine {
  readonly by: AgentId;
  /** UTC milliseconds. */
  readonly at: number;
  /** Undefined for a deleted message. */
  readonly text: string | undefined;
  readonly isEdited: boolean;
  /** The message's text and author are lost. */
  readonly isDamaged?: true;
  /** The agent could not answer; `text` is the reason. */
  readonly isFailure?: true;
  /** The agent was stopped while writing this message. */
  readonly isStopped?: true;
  /** The author of the message that this one answers, if that message is among the events. */
  readonly replyTo?: AgentId;
  /** The emoji on the message, from the events that were read. */
  readonly reactions?: readonly Reaction[];
  /** The emoji that the agent added to an earlier message, or removed from it. */
  readonly reacted?: { readonly emoji: string; readonly isOn: boolean };
  /** The job that sent this message in its author's name. */
  readonly job?: string;
}

/**
 * Applies edits and deletions among these events. Changes of earlier messages become separate
 * lines.
 */
export const toRoomLines = (events: readonly StoredEvent[]): readonly RoomLine[] => {
  const latestTexts = new Map<string, string>();
  const authors = new Map<string, AgentId>();
  const deletedIds = new Set<string>();
  const reactions = new Map<string, StoredReaction[]>();
  for (const event of events) {
    if (event.type === "message") authors.set(event.id, event.author);
    if (event.type === "message-edited") latestTexts.set(event.message, event.body.text);
    if (event.type === "message-deleted") deletedIds.add(event.message);
    if (event.type === "message-reacted")
      reactions.set(event.message, [...(reactions.get(event.message) ?? []), event]);
  }
  const listedIds = new Set<string>();
  return events.flatMap((event): RoomLine[] => {
    switch (event.type) {
      case "message": {
        listedIds.add(event.id);
        const body = { text: withoutAddresses(latestTexts.get(event.id) ?? event.body.text) };
        const text = readableText({ ...event, body });
        if (deletedIds.has(event.id)) return [];
        const isEdited = latestTexts.has(event.id);
        const replyTo = event.replyTo === undefined ? undefined : authors.get(event.replyTo);
        return [
          {
            by: event.author,
            at: event.at,
            text,
            isEdited,
            ...(event.damaged === true && !isEdited ? { isDamaged: true as const } : {}),
            ...(event.stopped === undefined ? {} : { isStopped: true as const }),
            ...(replyTo === undefined ? {} : { replyTo }),
            ...(reactions.has(event.id) ? { reactions: toReactions(reactions.get(event.id) ?? []) } : {}),
            ...(event.job === undefined ? {} : { job: event.job.name }),
          },
        ];
      }
      case "message-edited":
        return listedIds.has(event.message) || deletedIds.has(event.message)
          ? []
          : [{ by: event.by, at: event.at, text: event.body.text, isEdited: true }];
      case "message-deleted":
        return [{ by: event.by, at: event.at, text: undefined, isEdited: false }];
      case "message-reacted": {
        if (listedIds.has(event.message) || deletedIds.has(event.message) || event.emoji === "") return [];
        const { by, at, emoji, isOn } = event;
        return [{ by, at, text: undefined, isEdited: false, reacted: { emoji, isOn } }];
      }
      case "activation-failed": {
        const text = `${event.error.message} To retry: hearth room retry ${event.room} ${event.activation}`;
        return [{ by: event.agent, at: event.at, text, isEdited: false, isFailure: true }];
      }
      default:
        return [];
    }
  });
};

/**
 * Returns the title of a line: the author, or the job that wrote in the author's name, and the
 * state of the message. `repliedAuthor` is the name of the author to whom it replies.
 */
export const titleOf = (
  { text, isEdited, isDamaged, isFailure, isStopped, reacted, job }: RoomLine,
  name: string,
  repliedAuthor?: string,
): string => {
  if (isDamaged === true) return "Damaged message";
  if (isFailure === true) return `${name} could not answer`;
  if (reacted !== undefined)
    return reacted.isOn ? `${name} added ${reacted.emoji} to a message` : `${name} removed ${reacted.emoji}`;
  if (text === undefined) return `${name} deleted a message`;
  const notes = [
    ...(repliedAuthor === undefined ? [] : [`reply to ${repliedAuthor}`]),
    ...(isEdited ? ["edited"] : []),
    ...(isStopped === true ? ["stopped"] : []),
  ];
  const title = job === undefined ? name : `Scheduled job ${job}`;
  return notes.length === 0 ? title : `${title} (${notes.join(", ")})`;
};

/** Looks up the names that a title needs. */
export const nameLine = async (line: RoomLine, names: Names): Promise<string> =>
  titleOf(
    line,
    safeLine(await names.get(line.by)),
    line.replyTo === undefined ? undefined : safeLine(await names.get(line.replyTo)),
  );

/** Returns the reactions of a line with their names, as `👍 Ada, Robin`, or undefined if it has none. */
export const nameReactions = async ({ reactions = [] }: RoomLine, names: Names): Promise<string | undefined> => {
  if (reactions.length === 0) return undefined;
  const descriptions = await Promise.all(
    reactions.map(async ({ emoji, by }) => {
      const agents = await Promise.all(by.map(async (id) => safeLine(await names.get(id))));
      return `${safeLine(emoji)} ${agents.join(", ")}`;
    }),
  );
  return descriptions.join("  ");
};
