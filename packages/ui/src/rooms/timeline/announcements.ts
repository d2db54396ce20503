/** Screen reader announcements of a room: each complete reply once, and failures. Pure. */
import type { EndedActivation, LiveActivation, PendingMessage, RoomSnapshot } from "@hearth/client";
import type { AgentId } from "@hearth/protocol";
import { describeError, plainWords } from "../../design/error-words.ts";
import { toOneLine } from "../runs/tool-words.ts";
import * as texts from "../text.ts";
import { findNewMessages } from "./new-messages.ts";

const MAX_ANNOUNCED_LENGTH = 200;

/**
 * Returns the announcements for the change between two snapshots. Opening a room and loading older
 * pages announce nothing.
 */
export const announcementsOf = (
  before: RoomSnapshot,
  after: RoomSnapshot,
  me: AgentId | undefined,
  nameOf: (agent: AgentId) => string,
): readonly string[] => {
  if (before.state.kind !== "ready") return [];
  return [
    ...findNewMessages(before, after)
      .filter((message) => message.author !== me && !message.isDeleted)
      .map(
        (message) =>
          `${nameOf(message.author)}: ${toOneLine(stripMarkdown(message.text.slice(0, 2 * MAX_ANNOUNCED_LENGTH)), MAX_ANNOUNCED_LENGTH)}`,
      ),
    // An older page also loads runs that ended long ago, which are not announced.
    ...(before.messages[0]?.id === after.messages[0]?.id
      ? findNewItems(before.ended, after.ended, (activation) => activation.id)
      : []
    ).flatMap((activation) => describeEnd(activation, nameOf)),
    ...findNewItems(waitingOf(before), waitingOf(after), ({ id }) => id).map(({ agent }) =>
      texts.waitsForApproval(nameOf(agent)),
    ),
    ...findNewItems(refusedOf(before), refusedOf(after), (message) => message.key).map((message) =>
      texts.messageNotSent(message.error === undefined ? "" : describeError(message.error).title),
    ),
  ];
};

const describeEnd = (
  { agent, state, error, reason }: EndedActivation,
  nameOf: (agent: AgentId) => string,
): readonly string[] =>
  state === "failed" ? [texts.failureAnnouncement(nameOf(agent), describeFailure(error, reason)).trim()] : [];

const describeFailure = (error: EndedActivation["error"], reason: string | undefined): string =>
  error === undefined ? (plainWords(reason) ?? "") : describeError(error).title;

const waitingOf = ({ live }: RoomSnapshot): readonly LiveActivation[] =>
  live.filter(({ state }) => state === "waiting");

const refusedOf = ({ pending }: RoomSnapshot): readonly PendingMessage[] =>
  pending.filter((message) => message.state === "refused");

const findNewItems = <Item>(
  before: readonly Item[],
  after: readonly Item[],
  keyOf: (item: Item) => string,
): readonly Item[] => {
  if (before === after) return [];
  const knownKeys = new Set(before.map(keyOf));
  return after.filter((item) => !knownKeys.has(keyOf(item)));
};

/** Removes Markdown syntax, which must not be read aloud. */
const stripMarkdown = (text: string): string =>
  text
    .replace(/^\s*(```+|~~~+).*$/gm, "")
    .replace(/^\s*(#{1,6}|>|[-*+])\s+/gm, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}/g, "");
