/** A room's events as somebody at a terminal reads them: each message as it stands, and what became of earlier ones. */
import type { AgentId, StoredEvent } from "@hearth/protocol";

export interface RoomLine {
  readonly by: AgentId;
  /** UTC milliseconds. */
  readonly at: number;
  /** Nothing where a message was deleted. */
  readonly text: string | undefined;
  readonly isEdited: boolean;
  /** The agent was stopped while it wrote this. */
  readonly isStopped?: boolean;
  /** The job that asked this in the name of its author. */
  readonly job?: string;
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
        if (gone.has(event.id)) return [];
        return [
          {
            ...{ by: event.author, at: event.at, text, isEdited: texts.has(event.id) },
            ...(event.stopped === undefined ? {} : { isStopped: true }),
            ...(event.job === undefined ? {} : { job: event.job.name }),
          },
        ];
      }
      case "message-edited":
        return shown.has(event.message) || gone.has(event.message)
          ? []
          : [{ by: event.by, at: event.at, text: event.body.text, isEdited: true }];
      case "message-deleted":
        return [{ by: event.by, at: event.at, text: undefined, isEdited: false }];
      default:
        return [];
    }
  });
};

/** The author, or the job that asked in the author's name, and what became of the message. */
export const titleOf = ({ text, isEdited, isStopped, job }: RoomLine, name: string): string => {
  if (text === undefined) return `${name} deleted a message`;
  const marks = [...(isEdited ? ["edited"] : []), ...(isStopped === true ? ["stopped"] : [])];
  const title = job === undefined ? name : `Scheduled job ${job}`;
  return marks.length === 0 ? title : `${title} (${marks.join(", ")})`;
};
