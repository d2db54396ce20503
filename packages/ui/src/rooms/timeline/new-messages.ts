/** The messages that arrive while a room is open. Pure. */
import type { RoomMessage, RoomSnapshot } from "@hearth/client";
import type { AgentId, EventId } from "@hearth/protocol";

/** Returns the messages after the last one of the earlier snapshot. */
export const findNewMessages = (before: RoomSnapshot, after: RoomSnapshot): readonly RoomMessage[] => {
  const lastOffset = before.messages.at(-1)?.offset ?? 0;
  const start = after.messages.findLastIndex((message) => message.offset <= lastOffset) + 1;
  return after.messages.slice(start);
};

/** Returns the last new reply that the user hears. Opening a room and loading older pages play nothing. */
export const findNewSpokenReply = (
  before: RoomSnapshot,
  after: RoomSnapshot,
  me: AgentId | undefined,
): EventId | undefined => {
  if (before.state.kind !== "ready" || me === undefined) return undefined;
  return findNewMessages(before, after).findLast(
    ({ spokenFor, isDeleted, copied }) => !isDeleted && copied === undefined && spokenFor.includes(me),
  )?.id;
};
