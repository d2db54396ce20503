/** How much of a room one turn takes in at a time, beside what it began with. Pure. */
import type { StoredMessage } from "@hearth/protocol";

/** Messages at one time, and their texts together in UTF-16 code units: about what a turn begins with. The first one always fits. */
export const MAX_TAKEN_IN = 50;
export const MAX_TAKEN_IN_LENGTH = 40_000;
/** Events that are looked through at once. */
export const EVENTS_AT_ONCE = 500;

/** The first of these, as many as fit. */
export const firstThatFit = <Message extends Pick<StoredMessage, "body">>(messages: readonly Message[]): readonly Message[] => {
  let length = 0;
  const end = messages.findIndex(({ body }, index) => {
    length += body.text.length;
    return index > 0 && (index >= MAX_TAKEN_IN || length > MAX_TAKEN_IN_LENGTH);
  });
  return end < 0 ? messages : messages.slice(0, end);
};

/** The last of these, as many as fit. */
export const lastThatFit = <Message extends Pick<StoredMessage, "body">>(messages: readonly Message[]): readonly Message[] =>
  firstThatFit(messages.toReversed()).toReversed();
