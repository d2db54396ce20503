/** API types of chat platforms: channels, deliveries, refused updates and pairings. */
import { z } from "zod";
import { ErrorBody } from "../base/error-schema.ts";
import { KeyText } from "../policy/secret.ts";
import { Admission } from "../people/admission.ts";
import { AgentId, DeliveryId, EventId, RoomId } from "../base/ids.ts";

export const ChannelMode = z.enum(["poll", "webhook"]);
export type ChannelMode = z.infer<typeof ChannelMode>;

export const ChannelInfo = z.object({
  name: z.string(),
  kind: z.string(),
  mode: ChannelMode,
  /** The handle of the agent that answers there. */
  agent: z.string(),
  /** `ready`: receives and sends messages. `failing`: temporarily unable to. `off`: needs setup. */
  state: z.enum(["ready", "failing", "off"]),
  /** Why the channel is not `ready`. */
  error: ErrorBody.optional(),
  /** Number of queued deliveries. */
  queued: z.int().nonnegative(),
  /** Number of deliveries with an unknown outcome that await a person's decision. */
  unknown: z.int().nonnegative(),
  /** The time of the last message that was accepted or sent. Absent before the first message. */
  lastMessageAt: z.int().exactOptional(),
});
export type ChannelInfo = z.infer<typeof ChannelInfo>;
export const ChannelList = z.array(ChannelInfo);

/** A channel to add to the config file. */
export const CreateChannel = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, "is not lower-case letters, digits and hyphens"),
    kind: z.string().min(1).max(64).describe("the platform, such as telegram"),
    agent: z.string().min(1).max(64).optional().describe("the handle of the agent that answers; default: main"),
    baseUrl: z.url().optional().describe("a server with the platform's API; default: the platform's own"),
    token: KeyText.optional().describe(
      "the account's token; the house stores it in a separate file and never shows it",
    ),
    tokenReference: z.string().max(500).optional().describe("instead of token: secret:NAME, env:NAME or file:PATH"),
    admission: Admission.optional().describe("which senders may write; default: senders with a code"),
  })
  .refine(
    ({ token, tokenReference }) => (token === undefined) !== (tokenReference === undefined),
    "needs either token or tokenReference",
  );
export type CreateChannel = z.infer<typeof CreateChannel>;

/** An account to test before it is added; nothing is stored. */
export const TestNewChannel = z.strictObject({
  kind: CreateChannel.shape.kind,
  baseUrl: CreateChannel.shape.baseUrl,
  token: KeyText,
});
export type TestNewChannel = z.infer<typeof TestNewChannel>;

export const ChannelTest = z.object({ ok: z.boolean(), detail: z.string() });
export type ChannelTest = z.infer<typeof ChannelTest>;

export const ChangeChannel = z
  .strictObject({
    agent: z.string().min(1).max(64).optional().describe("the handle of the agent that answers"),
    token: KeyText.optional().describe("the account's new token; the platform must accept it first"),
    tokenReference: z.string().max(500).optional().describe("instead of token: secret:NAME, env:NAME or file:PATH"),
  })
  .refine(
    ({ agent, token, tokenReference }) => (agent ?? token ?? tokenReference) !== undefined,
    "needs agent, token or tokenReference",
  )
  .refine(
    ({ token, tokenReference }) => token === undefined || tokenReference === undefined,
    "takes either token or tokenReference",
  );
export type ChangeChannel = z.infer<typeof ChangeChannel>;

export const ChannelChange = z.object({
  channel: ChannelInfo,
  /** The test of the new token. If it failed, nothing has changed. */
  test: ChannelTest.optional(),
});
export type ChannelChange = z.infer<typeof ChannelChange>;

export const DeliveryState = z.enum(["queued", "sending", "sent", "unknown", "refused"]);
export type DeliveryState = z.infer<typeof DeliveryState>;

/** One message to a channel. */
export const Delivery = z.object({
  id: DeliveryId,
  channel: z.string(),
  conversation: z.string(),
  room: RoomId.optional(),
  /** The event that it delivers. */
  event: EventId.optional(),
  text: z.string(),
  /** The text is sent as audio. */
  spoken: z.literal(true).exactOptional(),
  state: DeliveryState,
  attempts: z.int().nonnegative(),
  /** Time of the next attempt, if one is due. */
  notBefore: z.int().optional(),
  error: ErrorBody.optional(),
  createdAt: z.int(),
  /** When the delivery was finished. An `unknown` one without this awaits a person's decision. */
  endedAt: z.int().optional(),
});
export type Delivery = z.infer<typeof Delivery>;
export const DeliveryList = z.array(Delivery);

const Limit = z.coerce.number().int().min(1).max(1000).default(100);
export const DeliveryQuery = z.object({ state: DeliveryState.optional(), limit: Limit });
export type DeliveryQuery = z.infer<typeof DeliveryQuery>;

/** A person's decision about an `unknown` delivery. */
export const DeliveryDecision = z.enum(["resend", "leave"]);
export type DeliveryDecision = z.infer<typeof DeliveryDecision>;
export const DecideDelivery = z.strictObject({ decision: DeliveryDecision });

/**
 * Why an inbound update did not become an event of a room. `unpaired`: the sender is unknown.
 * `blocked`: by an admin or the config. `unlisted`, `not-direct`, `not-mentioned`: by the channel's
 * admission rules. `ignored`: it adds nothing. `failed`: a bug in Hearth.
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
  /** The platform's id of the update. */
  externalId: z.string(),
  at: z.int(),
  conversation: z.string(),
  sender: z.string(),
  fate: RefusalFate,
});
export type RefusedInbound = z.infer<typeof RefusedInbound>;
export const RefusedInboundList = z.array(RefusedInbound);
export const RefusedQuery = z.object({ limit: Limit });

/** A sender on a channel. */
export const Pairing = z.object({
  channel: z.string(),
  /** The platform's id of the sender. */
  sender: z.string(),
  name: z.string(),
  state: z.enum(["pending", "allowed", "blocked"]),
  /** The person of the house whom the sender was paired with. */
  person: AgentId.optional(),
  createdAt: z.int(),
  /** When the pairing code expires. */
  expiresAt: z.int().optional(),
});
export type Pairing = z.infer<typeof Pairing>;
export const PairingList = z.array(Pairing);

/** Approves a sender, by pairing code or by id. */
export const ApprovePairing = z.union([
  z.strictObject({ code: z.string().min(1).max(64), as: z.string().min(1).max(200).optional() }),
  z.strictObject({
    channel: z.string().min(1).max(64),
    sender: z.string().min(1).max(200),
    as: z.string().min(1).max(200).optional(),
  }),
]);
export type ApprovePairing = z.infer<typeof ApprovePairing>;

/** `block`: ignores the sender permanently. `forget`: makes the sender unknown again. */
export const EndPairing = z.object({ how: z.enum(["block", "forget"]).default("block") });

/** The answer to a platform whose update is durable. */
export const UpdateTaken = z.object({ ok: z.literal(true) });
