/** Replaces stored events when their text is forgotten. */
import type { Write } from "../../../kernel/index.ts";
import type { EventId, StreamName } from "@hearth/protocol";

export const eventOf = <Event extends { readonly id: EventId; readonly offset: number }>(
  event: Event,
): Omit<Event, "id" | "offset"> => {
  const { id: _id, offset: _offset, ...content } = event;
  return content;
};

export const redact = (stream: StreamName, id: EventId, event: object): Write => ({
  kind: "update",
  table: "events",
  where: { stream: stream as `room:${string}`, id },
  set: { body: JSON.stringify(event), blob: null, labels: null },
});
