/**
 * Reads messages that arrived in a room after the activation's input was stored, in the form that
 * the agent reads: with authors, times, files and labels.
 */
import type { Kernel, Row } from "../../kernel/index.ts";
import type { People } from "../../people/index.ts";
import {
  type AgentId,
  type EventId,
  isHeartbeatPrompt,
  joinLabels,
  modelText,
  OWNER_LABEL,
  type Stored,
  type StoredMessage,
  type StreamName,
} from "@hearth/protocol";
import type { AttachedParts } from "./attached-parts.ts";
import { currentMessages } from "./current-messages.ts";
import { type Frozen, modelsOf } from "./frozen.ts";
import { EVENTS_PER_READ, takeFirstThatFit, takeLastThatFit, withParts } from "./history.ts";
import type { LabelledMessage } from "./inbox-part.ts";
import { labelOf } from "./labelled-values.ts";
import { replyNotes } from "./reply-notes.ts";
import { stampIn } from "./stamps.ts";

/** A message of the room as the agent reads it. */
export interface RoomMessage extends LabelledMessage {
  readonly event: EventId;
}

export interface LaterMessages {
  /**
   * Returns the newest messages of the room after that offset, up to one turn's limit: those by
   * others, and those by this agent in other activations. Older messages are in the room's history.
   * `except` names messages to leave out.
   */
  readNewer(
    activation: Row<"activations">,
    frozen: Frozen,
    after: number,
    except: () => Promise<ReadonlySet<string>>,
  ): Promise<readonly RoomMessage[]>;
  /**
   * Returns the first of these messages in their current form, up to one turn's limit. Leaves out
   * deleted messages.
   */
  read(activation: Row<"activations">, frozen: Frozen, offsets: readonly number[]): Promise<readonly RoomMessage[]>;
}

export interface LaterMessagesOptions {
  readonly kernel: Pick<Kernel, "streams">;
  readonly people: Pick<People, "records" | "standingOf">;
  readonly attachedParts: AttachedParts;
}

export const createLaterMessages = ({ kernel, people, attachedParts }: LaterMessagesOptions): LaterMessages => {
  const { streams } = kernel;

  /** Labels messages by their authors' current standing. `noteSuffix` follows the time in a message's note. */
  const toRoomMessages = async (
    activation: Row<"activations">,
    frozen: Frozen,
    messages: readonly StoredMessage[],
    noteSuffix: string,
  ): Promise<readonly RoomMessage[]> => {
    const { names, zone } = frozen;
    const when = stampIn(zone);
    const partsByMessage = await attachedParts(activation.room, messages, modelsOf(frozen));
    const agent = await people.records.get("agent", activation.agent);
    const nameOf = (author: AgentId): string => names[author] ?? "someone";
    const replyNote = replyNotes({ shown: messages, agent: agent.id, nameOf });
    return Promise.all(
      messages.map(async (stored) => {
        const { id, author, at, label = OWNER_LABEL, damaged, ...content } = stored;
        if (damaged === true) {
          const message = {
            role: "user",
            text: content.body.text,
            note: `the house, ${when(at)}${noteSuffix}`,
          } as const;
          return { event: id, message, label: OWNER_LABEL };
        }
        const name = nameOf(author);
        const who = author === agent.id ? "you, to them" : name;
        const note = `${who}, ${when(at)}${replyNote(stored)}${noteSuffix}`;
        return {
          event: id,
          message: { role: "user", text: modelText(content), note, ...withParts(partsByMessage.get(id)) } as const,
          label: joinLabels(labelOf(await people.standingOf(author, agent), name), label),
        };
      }),
    );
  };

  /** Returns the events of these offsets, with all later edits and deletions of these events. */
  const readWithChanges = async (room: StreamName, offsets: readonly number[]): Promise<readonly Stored[]> => {
    const head = await streams.head(room);
    const ids = new Set<EventId>();
    const events: Stored[] = [];
    // A message may be edited at any later time. Only the requested messages are kept in memory.
    for (let after = Math.min(...offsets) - 1; after < head; after += EVENTS_PER_READ)
      for (const event of await streams.read(room, after, Math.min(EVENTS_PER_READ, head - after))) {
        const isRequested = event.type === "message" && offsets.includes(event.offset);
        if (isRequested) ids.add(event.id);
        const isChange = event.type === "message-edited" || event.type === "message-deleted";
        const changedMessage = isChange ? event.message : undefined;
        if (isRequested || (changedMessage !== undefined && ids.has(changedMessage))) events.push(event);
      }
    return events;
  };

  return {
    async readNewer(activation, frozen, after, except) {
      const room: StreamName = `room:${activation.room}`;
      const head = await streams.head(room);
      const start = Math.max(after, head - EVENTS_PER_READ);
      const { messages, removed } = currentMessages(await streams.read(room, start, head - start));
      const excluded = await except();
      const candidates = messages.filter(
        (message) =>
          message.activation !== activation.id &&
          !removed.has(message.id) &&
          !excluded.has(message.id) &&
          !isHeartbeatPrompt(message),
      );
      const fitting = takeLastThatFit(candidates);
      const isCut = start > after || fitting.length < candidates.length;
      const firstSuffix = isCut ? ", while you waited, after others that are not shown" : ", while you waited";
      const [firstMessage, ...otherMessages] = fitting;
      return [
        ...(await toRoomMessages(activation, frozen, firstMessage === undefined ? [] : [firstMessage], firstSuffix)),
        ...(await toRoomMessages(activation, frozen, otherMessages, ", while you waited")),
      ];
    },

    async read(activation, frozen, offsets) {
      const { messages, removed } = currentMessages(await readWithChanges(`room:${activation.room}`, offsets));
      return toRoomMessages(activation, frozen, takeFirstThatFit(messages.filter(({ id }) => !removed.has(id))), "");
    },
  };
};
