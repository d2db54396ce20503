/** A room's events as somebody at a terminal reads them: each message as it stands, and what became of earlier ones. */
import type { AgentId, StoredEvent } from "@hearth/protocol";

export interface RoomLine {
  readonly by: AgentId;
  /** UTC milliseconds. */
  readonly at: number;
  /** Nothing where a message was deleted. */
  readonly text: string | undefined;
  readonly isEdited: boolean;
  /** The agent could not answer, and `text` says why. */
  readonly isFailure?: true;
}

/** What these events edit or delete of each other is settled; what they do to messages before them gets a line of its own. */
export const toRoomLines = (events: readonly StoredEvent[]): readonly RoomLine[] => {
  const texts = new Map<string, string>();
  const gone = new Set<string>();
  for (const event of events) {
    if (event.type === "message-edited") texts.set(event.message, event.body.text);
    if (event.type === "message-deleted") gone.add(event.message);
  }
  const shown = new Set<string>();
  return events.flatMap((event): RoomLine[] => {
    switch (event.type) {
      case "message": {
        shown.add(event.id);
        const text = texts.get(event.id) ?? event.body.text;
        return gone.has(event.id) ? [] : [{ by: event.author, at: event.at, text, isEdited: texts.has(event.id) }];
      }
      case "message-edited":
        return shown.has(event.message) || gone.has(event.message)
          ? []
          : [{ by: event.by, at: event.at, text: event.body.text, isEdited: true }];
      case "message-deleted":
        return [{ by: event.by, at: event.at, text: undefined, isEdited: false }];
      case "activation-failed": {
        const text = `${event.error.message} To retry: hearth room retry ${event.room} ${event.activation}`;
        return [{ by: event.agent, at: event.at, text, isEdited: false, isFailure: true }];
      }
      default:
        return [];
    }
  });
};

/** Who it is by, and what stands after the name. */
export const titleOf = ({ text, isEdited, isFailure }: RoomLine, name: string): string =>
  isFailure === true
    ? `${name} could not answer`
    : text === undefined ? `${name} deleted a message` : isEdited ? `${name} (edited)` : name;
