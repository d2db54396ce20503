/** What a screen reader is told while it stands in the composer: each finished reply once, and what went wrong. Pure. */
import type { EndedActivation, LiveActivation, PendingMessage, RoomMessage, RoomSnapshot } from "@hearth/client";
import type { AgentId } from "@hearth/protocol";
import { describeError, plainWords } from "../design/error-words.ts";
import { oneLine } from "./tool-words.ts";

const MAX_SAID = 200;

/** What is new between two looks at a room, in words. Nothing while it opens, or when older pages come. */
export const announcementsOf = (
  before: RoomSnapshot,
  after: RoomSnapshot,
  me: AgentId | undefined,
  nameOf: (agent: AgentId) => string,
): readonly string[] => {
  if (before.state.kind !== "ready") return [];
  return [
    ...newMessages(before, after)
      .filter((message) => message.author !== me && !message.isDeleted)
      .map(
        (message) =>
          `${nameOf(message.author)}: ${oneLine(withoutSigns(message.text.slice(0, 2 * MAX_SAID)), MAX_SAID)}`,
      ),
    // With an older page come ends that are no news.
    ...(before.messages[0]?.id === after.messages[0]?.id
      ? newOf(before.ended, after.ended, (activation) => activation.id)
      : []
    ).flatMap((activation) => tellEnd(activation, nameOf)),
    ...newOf(waitingOf(before), waitingOf(after), ({ id }) => id).map(
      ({ agent }) => `${nameOf(agent)} waits for a person's decision.`,
    ),
    ...newOf(refusedOf(before), refusedOf(after), (message) => message.key).map((message) =>
      `Your message was not sent. ${message.error === undefined ? "" : describeError(message.error).title}`.trim(),
    ),
  ];
};

/** Messages that came to the end of what was there. */
const newMessages = (before: RoomSnapshot, after: RoomSnapshot): readonly RoomMessage[] => {
  const last = before.messages.at(-1)?.offset ?? 0;
  const start = after.messages.findLastIndex((message) => message.offset <= last) + 1;
  return after.messages.slice(start);
};

const tellEnd = (
  { agent, state, error, reason }: EndedActivation,
  nameOf: (agent: AgentId) => string,
): readonly string[] =>
  state === "failed" ? [`${nameOf(agent)} could not answer. ${tellFailure(error, reason)}`.trim()] : [];

const tellFailure = (error: EndedActivation["error"], reason: string | undefined): string =>
  error === undefined ? (plainWords(reason) ?? "") : describeError(error).title;

const waitingOf = ({ live }: RoomSnapshot): readonly LiveActivation[] =>
  live.filter(({ state }) => state === "waiting");

const refusedOf = ({ pending }: RoomSnapshot): readonly PendingMessage[] =>
  pending.filter((message) => message.state === "refused");

const newOf = <Item>(
  before: readonly Item[],
  after: readonly Item[],
  keyOf: (item: Item) => string,
): readonly Item[] => {
  if (before === after) return [];
  const known = new Set(before.map(keyOf));
  return after.filter((item) => !known.has(keyOf(item)));
};

/** Markdown without its signs, which nobody wants to hear. */
const withoutSigns = (text: string): string =>
  text
    .replace(/^\s*(```+|~~~+).*$/gm, "")
    .replace(/^\s*(#{1,6}|>|[-*+])\s+/gm, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}/g, "");
