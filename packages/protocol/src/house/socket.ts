/** The frames of the WebSocket `/ws`. */
import { z } from "zod";
import { ErrorBody } from "../base/error-schema.ts";
import { ActivationId, RoomId, StreamName } from "../base/ids.ts";
import { StoredEvent } from "../events/stored.ts";
import { PostMessage } from "./messages.ts";

/** A request over `/ws`. The client chooses `id`; the answer repeats it. */
export const SocketRequest = z.discriminatedUnion("op", [
  z.strictObject({
    op: z.literal("subscribe"),
    id: z.int(),
    stream: StreamName,
    after: z.int().nonnegative().default(0),
    /** The epoch in which `after` was issued, from an earlier answer to a subscription. */
    epoch: z.string().max(64).optional(),
  }),
  z.strictObject({ op: z.literal("unsubscribe"), id: z.int(), stream: StreamName }),
  z.strictObject({ op: z.literal("post"), id: z.int(), room: RoomId, message: PostMessage }),
  z.strictObject({ op: z.literal("stop"), id: z.int(), activation: ActivationId }),
  z.strictObject({ op: z.literal("ping"), id: z.int() }),
]);
export type SocketRequest = z.infer<typeof SocketRequest>;
/**
 * A frame from the house: the answer to a request, or events of a subscription. `restarted`: the
 * stream is shorter than the reader's offset, so the subscription continues from offset 1.
 */
export const SocketFrame = z.discriminatedUnion("type", [
  z.object({ type: z.literal("answer"), id: z.int(), result: z.json() }),
  z.object({ type: z.literal("error"), id: z.int().optional(), error: ErrorBody }),
  z.object({ type: z.literal("events"), stream: StreamName, events: z.array(StoredEvent), next: z.int() }),
  z.object({ type: z.literal("restarted"), stream: StreamName }),
  z.object({ type: z.literal("ended"), stream: StreamName }),
]);
export type SocketFrame = z.infer<typeof SocketFrame>;
