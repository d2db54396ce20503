/** What crosses the house's port about chat platforms: channels, what goes out to them, who writes from them. */
import { z } from "zod";
import { ErrorBody } from "./error-schema.ts";
import { AgentId, DeliveryId, EventId, RoomId } from "./ids.ts";

export const ChannelMode = z.enum(["poll", "webhook"]);
export type ChannelMode = z.infer<typeof ChannelMode>;

export const ChannelInfo = z.object({
  name: z.string(),
  kind: z.string(),
  mode: ChannelMode,
  /** The handle of the agent who answers there. */
  agent: z.string(),
  /** `ready`: it takes and sends messages. `failing`: it does not at present. `off`: it cannot before it is set up. */
  state: z.enum(["ready", "failing", "off"]),
  /** Why it is not `ready`. */
  error: ErrorBody.optional(),
  /** Deliveries that wait. */
  queued: z.int().nonnegative(),
  /** Deliveries of which nobody knows whether they arrived, and nobody has said what to do. */
  unknown: z.int().nonnegative(),
});
export type ChannelInfo = z.infer<typeof ChannelInfo>;
export const ChannelList = z.array(ChannelInfo);

export const ChannelTest = z.object({ ok: z.boolean(), detail: z.string() });
export type ChannelTest = z.infer<typeof ChannelTest>;

export const DeliveryState = z.enum(["queued", "sending", "sent", "unknown", "refused"]);
export type DeliveryState = z.infer<typeof DeliveryState>;

/** One message on its way to a channel. */
export const Delivery = z.object({
  id: DeliveryId,
  channel: z.string(),
  conversation: z.string(),
  room: RoomId.optional(),
  /** The event that it delivers. */
  event: EventId.optional(),
  text: z.string(),
  state: DeliveryState,
  attempts: z.int().nonnegative(),
  /** When it is tried next, if it waits. */
  notBefore: z.int().optional(),
  error: ErrorBody.optional(),
  createdAt: z.int(),
  /** When nothing more was to be done. An `unknown` one without it waits for a person's word. */
  endedAt: z.int().optional(),
});
export type Delivery = z.infer<typeof Delivery>;
export const DeliveryList = z.array(Delivery);

const Limit = z.coerce.number().int().min(1).max(1000).default(100);
export const DeliveryQuery = z.object({ state: DeliveryState.optional(), limit: Limit });
export type DeliveryQuery = z.infer<typeof DeliveryQuery>;

/** What a person says about a delivery that is `unknown`. */
export const DeliveryDecision = z.enum(["resend", "leave"]);
export type DeliveryDecision = z.infer<typeof DeliveryDecision>;
export const DecideDelivery = z.strictObject({ decision: DeliveryDecision });

/**
 * Why something that came in did not become an event of a room: `unpaired`, a stranger; `blocked`, by an admin or in the config; `unlisted`,
 * `not-direct` and `not-mentioned`, the channel's admission says so; `ignored`, it adds nothing; `failed`, a bug of ours.
 */
export const RefusalFate = z.enum([
  "unpaired",
  "blocked",
  "unlisted",
  "not-direct",
  "not-mentioned",
  "ignored",
  "failed",
]);
export type RefusalFate = z.infer<typeof RefusalFate>;

export const RefusedInbound = z.object({
  channel: z.string(),
  /** The platform's own id of the update. */
  externalId: z.string(),
  at: z.int(),
  conversation: z.string(),
  sender: z.string(),
  fate: RefusalFate,
});
export type RefusedInbound = z.infer<typeof RefusedInbound>;
export const RefusedInboundList = z.array(RefusedInbound);
export const RefusedQuery = z.object({ limit: Limit });

/** Someone who writes from a channel. */
export const Pairing = z.object({
  channel: z.string(),
  /** The platform's id of them. */
  sender: z.string(),
  name: z.string(),
  state: z.enum(["pending", "allowed", "blocked"]),
  /** The person of the house that they are. */
  person: AgentId.optional(),
  createdAt: z.int(),
  /** Until when their code holds. */
  expiresAt: z.int().optional(),
});
export type Pairing = z.infer<typeof Pairing>;
export const PairingList = z.array(Pairing);

/** Who is let in: by the code that they were told, or by name. */
export const ApprovePairing = z.union([
  z.strictObject({ code: z.string().min(1).max(64), as: z.string().min(1).max(200).optional() }),
  z.strictObject({
    channel: z.string().min(1).max(64),
    sender: z.string().min(1).max(200),
    as: z.string().min(1).max(200).optional(),
  }),
]);
export type ApprovePairing = z.infer<typeof ApprovePairing>;

/** `block`: they are never heard again. `forget`: they are strangers again. */
export const EndPairing = z.object({ how: z.enum(["block", "forget"]).default("block") });
