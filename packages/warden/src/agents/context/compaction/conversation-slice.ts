/** Formats the messages that a summary replaces, one by one, in room order. */
import {
  type AgentId,
  type AgentRecord,
  joinLabels,
  type Label,
  OWNER_LABEL,
  readableText,
  type StoredMessage,
  type UserMessage,
} from "@hearth/protocol";
import type { AuthorsOf } from "../authors.ts";
import { chooseSlice, type SliceLength } from "./compaction-slice.ts";
import { labelMessages, labelOf } from "../labelled-values.ts";
import type { Summary } from "../sessions.ts";
import { stampIn } from "../stamps.ts";
import type { CurrentMessages } from "../current-messages.ts";
import type { SessionRange } from "./stretches.ts";
import type { Summaries } from "./summaries.ts";

export interface ConversationSlice {
  /**
   * The previous summary, then each message with its author and time, including the agent's own.
   */
  readonly transcript: readonly UserMessage[];
  /** The joined label of these messages and of the previous summary. */
  readonly label: Label;
  /** Offset after which the slice begins. */
  readonly after: number;
  /** Offset of the last event of the slice. */
  readonly through: number;
  /** Head of the room at the time of the read. */
  readonly head: number;
  /** Number of messages in the slice. */
  readonly messages: number;
}

/** Returns undefined if no message precedes the one to answer. */
export type ReadConversationSlice = (
  sessionRange: SessionRange,
  agent: AgentRecord,
  zone: string,
  selection: SliceLength | { readonly through: number },
) => Promise<ConversationSlice | undefined>;

export const createSliceReader = (options: {
  readonly authorsOf: AuthorsOf;
  readonly summaries: Pick<Summaries, "read">;
}): ReadConversationSlice => {
  return async ({ range, current, summary }, agent, zone, selection) => {
    const slice =
      "through" in selection
        ? sliceThrough(current, selection.through)
        : chooseSlice({ current, cause: range.cause, agent: agent.id, ...selection });
    if (slice === undefined) return undefined;
    const sliceMessages: CurrentMessages = { messages: slice.messages, removed: current.removed };
    const [{ names, standings }, previousSummary] = await Promise.all([
      options.authorsOf(sliceMessages, agent),
      summary === undefined ? undefined : options.summaries.read(summary.hash),
    ]);
    const formatTime = stampIn(zone);
    const messages = slice.messages.map((message): UserMessage => ({
      role: "user",
      text: readableText(message),
      note: `${authorName(message.author, agent.id, names)}, ${formatTime(message.at)}`,
    }));
    const summaryMessages: readonly UserMessage[] =
      previousSummary === undefined ? [] : [{ role: "user", text: previousSummary, note: PREVIOUS_SUMMARY_NOTE }];
    const labelled = labelMessages({ current: sliceMessages, cause: range.cause, agent: agent.id, standings, names });
    return {
      transcript: [...summaryMessages, ...messages],
      label: joinAll([...labelled.map(({ label }) => label), ...labelsOf(summary)]),
      after: range.start,
      through: slice.through,
      head: range.head,
      messages: slice.messages.length,
    };
  };
};

const PREVIOUS_SUMMARY_NOTE = "the house: a summary of the messages before that";

const sliceThrough = (
  { messages, removed }: CurrentMessages,
  through: number,
): { readonly messages: readonly StoredMessage[]; readonly through: number } => ({
  messages: messages.filter(({ id, offset }) => offset <= through && !removed.has(id)),
  through,
});

const labelsOf = (summary: Summary | undefined): readonly Label[] => (summary === undefined ? [] : [summary.label]);

/** A model wrote the summary, so its label is at most trusted. */
const joinAll = (labels: readonly Label[]): Label => [labelOf("trusted"), ...labels].reduce(joinLabels, OWNER_LABEL);

const authorName = (author: AgentId, agent: AgentId, names: Readonly<Record<string, string>>): string =>
  author === agent ? "you" : (names[author] ?? "someone who left");
