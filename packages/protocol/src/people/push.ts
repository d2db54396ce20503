/** Choices of a person: devices that get notifications, what these are about, and which replies are spoken. */
import { z } from "zod";
import { RoomId } from "../base/ids.ts";
import { isZone } from "./record.ts";

/**
 * `important`: mentions, replies to the person, messages of direct rooms, and approvals that the
 * person may decide. `all`: every message too.
 */
export const PushRule = z.enum(["all", "important", "none"]);
export type PushRule = z.infer<typeof PushRule>;

const MAX_PUSH_ROOMS = 1000;
const DAYS = 7;
const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

/** A time without notifications, from `from` until `to`, which may be on the next day. */
export const QuietHours = z.object({
  from: ClockTime,
  to: ClockTime,
  timezone: z.string().max(64).refine(isZone, "is no IANA time zone"),
  /** The days on which it begins: 1 is Monday, 7 Sunday. Absent: each day. */
  days: z.array(z.int().min(1).max(DAYS)).min(1).max(DAYS).optional(),
});
export type QuietHours = z.infer<typeof QuietHours>;

export const PushChoices = z.object({
  /** For rooms without a rule. */
  rule: PushRule,
  /** Rules by the id of the room. */
  rooms: z.record(RoomId, PushRule),
  /** Whether a notification shows the beginning of the message. */
  showsText: z.boolean(),
  quiet: QuietHours.optional(),
});
export type PushChoices = z.infer<typeof PushChoices>;

export const PushDevice = z.object({
  id: z.string(),
  name: z.string(),
  /** The host of the push service, such as `fcm.googleapis.com`. */
  service: z.string(),
  /** Whether it belongs to the session of this request. */
  isThis: z.boolean(),
  createdAt: z.int(),
  /** The last notification that the push service took. */
  sentAt: z.int().optional(),
});
export type PushDevice = z.infer<typeof PushDevice>;

export const PushState = z.object({ choices: PushChoices, devices: z.array(PushDevice) });
export type PushState = z.infer<typeof PushState>;

/** The key with which a browser checks that notifications are from this house. */
export const PushKey = z.object({ publicKey: z.string() });
export type PushKey = z.infer<typeof PushKey>;

/** A subscription, as the browser returns it, with a name for people. */
export const AddPushDevice = z.strictObject({
  name: z.string().min(1).max(100),
  endpoint: z.url().max(2000),
  keys: z.strictObject({
    p256dh: z.string().regex(/^[\w-]{87}=?$/),
    auth: z.string().regex(/^[\w-]{22}(==)?$/),
  }),
});
export type AddPushDevice = z.infer<typeof AddPushDevice>;

export const ChangePushChoices = z.strictObject({
  rule: PushRule.optional(),
  /** null: the rule for rooms that have no rule. */
  rooms: z
    .record(RoomId, PushRule.nullable())
    .refine((rooms) => Object.keys(rooms).length <= MAX_PUSH_ROOMS, "has too many rooms")
    .optional(),
  showsText: z.boolean().optional(),
  /** null: none. */
  quiet: QuietHours.nullable().optional(),
});
export type ChangePushChoices = z.infer<typeof ChangePushChoices>;

/** How many devices the push services accepted a test for. */
export const PushTest = z.object({ sent: z.int(), failed: z.int() });
export type PushTest = z.infer<typeof PushTest>;

/** The content of a notification, which is sent encrypted. The service worker shows it. */
export const PushPayload = z.object({
  title: z.string(),
  body: z.string(),
  /** Below `/ui`, such as `/rooms/main`. */
  path: z.string(),
  /** A notification replaces the one with the same tag. */
  tag: z.string(),
  /** How many approvals and proposals wait for the person: the number on the icon of the app. */
  pending: z.int().optional(),
});
export type PushPayload = z.infer<typeof PushPayload>;

/**
 * Which replies of agents a person hears. `voice-notes`: replies to messages of the person that have
 * audio attached.
 */
export const SpokenReplies = z.enum(["never", "voice-notes", "always"]);
export type SpokenReplies = z.infer<typeof SpokenReplies>;

/** The choice of a person who has not chosen. Speech costs the house money, so it is off. */
export const DEFAULT_SPOKEN_REPLIES: SpokenReplies = "never";

export const VoiceChoices = z.strictObject({ replies: SpokenReplies });
export type VoiceChoices = z.infer<typeof VoiceChoices>;
