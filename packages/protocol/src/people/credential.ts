/** Credentials: keys, passwords, sessions. These types contain no secrets except where noted. */
import { z } from "zod";
import { AgentId, KeyId, SessionId } from "../base/ids.ts";
import { Level, Place } from "./permission.ts";

/** The maximum rights of a key, within those of its agent. Absent: all rights of its agent. */
export const KeyScope = z.strictObject({
  level: Level,
  /** The places where the key is valid. Absent: all places of its agent. */
  on: z.array(Place).min(1).max(100).optional(),
});
export type KeyScope = z.infer<typeof KeyScope>;

export const CreateKey = z.strictObject({
  name: z.string().min(1).max(100),
  /** The agent that the key acts as. Default: the caller. */
  agent: AgentId.optional(),
  scope: KeyScope.optional(),
  /** UTC milliseconds. Absent: valid until revoked. */
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

/** `key` is the secret. It is returned only here. */
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

/**
 * `current` is required if a password is set, unless an admin of the home sets another person's
 * password.
 */
export const SetPassword = z.strictObject({
  password: Password,
  current: z.string().max(MAX_PASSWORD_LENGTH).optional(),
});
export type SetPassword = z.infer<typeof SetPassword>;

/** Whether a password is set, and whether changing it requires the current one. */
export const PasswordState = z.object({ isSet: z.boolean(), needsCurrent: z.boolean() });
export type PasswordState = z.infer<typeof PasswordState>;

/**
 * `person` is a handle or an id. Other fields are ignored; they do not affect whose attempt it is.
 */
export const LogIn = z.object({ person: z.string().min(1).max(200), password: z.string().max(MAX_PASSWORD_LENGTH) });
export type LogIn = z.infer<typeof LogIn>;

/** A browser in which a person is logged in. */
export const Session = z.object({
  id: SessionId,
  agent: AgentId,
  /** The browser's User-Agent, truncated. */
  about: z.string(),
  createdAt: z.int(),
  expiresAt: z.int(),
  /** Whether this is the session of the request. */
  isThis: z.boolean(),
});
export type Session = z.infer<typeof Session>;
export const SessionList = z.array(Session);
export const SessionsEnded = z.object({ ended: z.int().nonnegative() });
export type SessionsEnded = z.infer<typeof SessionsEnded>;
