/** Describes the message that another one answers, for the note of that message. */
import type { AgentId, EventId, StoredMessage } from "@hearth/protocol";
import { cleanName } from "../../policy/index.ts";

/** Maximum length of the quoted text, in UTF-16 code units. */
const MAX_QUOTED_LENGTH = 80;

export interface ReplyNoteOptions {
  /** The messages that the agent reads. The text of another message is not quoted. */
  readonly shown: readonly StoredMessage[];
  readonly agent: AgentId;
  readonly nameOf: (agent: AgentId) => string;
}

/** Returns the end of a message's note, or "" for a message that answers no particular one. */
export const replyNotes = ({ shown, agent, nameOf }: ReplyNoteOptions): ((message: StoredMessage) => string) => {
  const messagesById = new Map<EventId, StoredMessage>(shown.map((message) => [message.id, message]));
  return ({ replyTo }) => {
    if (replyTo === undefined) return "";
    const answeredMessage = messagesById.get(replyTo);
    if (answeredMessage === undefined) return ", in reply to an earlier message";
    const authorName = answeredMessage.author === agent ? "you" : nameOf(answeredMessage.author);
    return `, in reply to ${authorName}: "${quote(answeredMessage.body.text)}"`;
  };
};

/** Returns the first words of a text. Like a name, they cannot end the note. */
const quote = (text: string): string => {
  const line = cleanName(text.slice(0, 4 * MAX_QUOTED_LENGTH).replace(/\s+/gu, " ")).replaceAll('"', "'");
  return line.length <= MAX_QUOTED_LENGTH ? line : `${line.slice(0, MAX_QUOTED_LENGTH - 1).toWellFormed()}…`;
};
