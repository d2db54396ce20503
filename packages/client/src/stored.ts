/** Schemas of the events of in-memory streams, with their offsets. Fast, for many small events. */
import { DeltaEvent, EventId, LiveEvent, type Stored } from "@hearth/protocol";
import type { Schema } from "./request.ts";

const createStoredSchema = <Event extends DeltaEvent | LiveEvent>(schema: Schema<Event>): Schema<Stored<Event>> => ({
  safeParse(value) {
    const event = schema.safeParse(value);
    if (!event.success) return event;
    const { id, offset } = value as { readonly id?: unknown; readonly offset?: unknown };
    const parsedId = EventId.safeParse(id);
    if (!parsedId.success) return parsedId;
    if (typeof offset !== "number" || !Number.isSafeInteger(offset) || offset < 1)
      return { success: false, error: { message: "offset is not a position in a stream" } };
    return { success: true, data: { ...event.data, id: parsedId.data, offset } };
  },
});

export const StoredDelta: Schema<Stored<DeltaEvent>> = createStoredSchema(DeltaEvent);
export const StoredLive: Schema<Stored<LiveEvent>> = createStoredSchema(LiveEvent);
