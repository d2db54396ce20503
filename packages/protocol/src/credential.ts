/** What people and programs come in with: keys, passwords, sessions. No secret is in any of these but where it says so. */
import { z } from "zod";
import { AgentId, KeyId, SessionId } from "./ids.ts";
import { Level, Place } from "./permission.ts";

/** What a key may do at most, whatever its agent may. Absent: all that its agent may. */
export const KeyScope = z.strictObject({
  level: Level,
  /** Only there. Absent: wherever its agent may. */
  on: z.array(Place).min(1).max(100).optional(),
});
export type KeyScope = z.infer<typeof KeyScope>;

export const CreateKey = z.strictObject({
  name: z.string().min(1).max(100),
  /** Whom it acts as; yourself by default. */
  agent: AgentId.optional(),
  scope: KeyScope.optional(),
  /** UTC milliseconds. Absent: until it is revoked. */
  expiresAt: z.int().positive().optional(),
});
export type CreateKey = z.infer<typeof CreateKey>;

export const KeyInfo = z.object({
  id: KeyId,
  name: z.string(),
  agent: AgentId,
  scope: KeyScope.optional(),
  createdAt: z.int(),
  expiresAt: z.int().optional(),
  revokedAt: z.int().optional(),
});
export type KeyInfo = z.infer<typeof KeyInfo>;
export const KeyList = z.array(KeyInfo);

/** `key` is shown here and never again. */
export const CreatedKey = z.object({
  key: z.string(),
  id: KeyId,
  name: z.string(),
  agent: AgentId,
  scope: KeyScope.optional(),
  expiresAt: z.int().optional(),
});
export type CreatedKey = z.infer<typeof CreatedKey>;

export const MIN_PASSWORD_LENGTH = 10;
const MAX_PASSWORD_LENGTH = 1000;
const Password = z
  .string()
  .min(MIN_PASSWORD_LENGTH)
  .max(MAX_PASSWORD_LENGTH)
  .refine((text) => text.isWellFormed(), "is not well-formed Unicode");

/** `current` where there is one already, unless an admin of the home sets it for somebody. */
export const SetPassword = z.strictObject({
  password: Password,
  current: z.string().max(MAX_PASSWORD_LENGTH).optional(),
});
export type SetPassword = z.infer<typeof SetPassword>;

/** Whether there is a password, and whether setting another one takes it. */
export const PasswordState = z.object({ isSet: z.boolean(), needsCurrent: z.boolean() });
export type PasswordState = z.infer<typeof PasswordState>;

/** `person` is a handle or an id. What else comes along is passed over: it changes nothing about whose attempt it is. */
export const LogIn = z.object({ person: z.string().min(1).max(200), password: z.string().max(MAX_PASSWORD_LENGTH) });
export type LogIn = z.infer<typeof LogIn>;

/** A browser that somebody is logged in with. */
export const Session = z.object({
  id: SessionId,
  agent: AgentId,
  /** What the browser called itself, cut. */
  about: z.string(),
  createdAt: z.int(),
  expiresAt: z.int(),
  /** The one that asks. */
  isThis: z.boolean(),
});
export type Session = z.infer<typeof Session>;
export const SessionList = z.array(Session);
export const SessionsEnded = z.object({ ended: z.int().nonnegative() });
