/** Credentials: keys, passwords, sessions, invites. These types contain no secrets except where noted. */
import { z } from "zod";
import { AgentId, HouseId, InviteId, KeyId, RoomId, SessionId } from "../base/ids.ts";
import { Level, Place, Right, rights } from "./permission.ts";
import { RecordName } from "./record.ts";

/** The maximum rights of a key, within those of its agent. Absent: all rights of its agent. */
export const KeyScope = z.strictObject({
  level: Level,
  /** The places where the key is valid. Absent: all places of its agent. */
  on: z.array(Place).min(1).max(100).optional(),
  /** The rights of the key, if its agent has them. The level `x` includes all rights of its agent. */
  rights: z.array(Right).max(rights.length).optional(),
  /**
   * The key may only call this, and has no level anywhere. `metrics`: `GET /metrics`, while its
   * agent has `x` on the first house.
   */
  only: z.enum(["metrics"]).optional(),
  /** Requests per minute. Absent: no limit of the key. */
  perMinute: z.int().min(1).max(100_000).optional(),
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
  /** The last use, to within an hour. Only in lists. Absent: it was never used. */
  usedAt: z.int().optional(),
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

/** A code may contain spaces. */
const MAX_CODE_LENGTH = 40;
/** A code of an authenticator app, or a recovery code. */
const SecondCode = z.string().min(1).max(MAX_CODE_LENGTH);

/** Whether logins of a person need a code of an authenticator app. */
export const SecondFactorState = z.object({
  isOn: z.boolean(),
  /** Since when. */
  since: z.int().optional(),
  /** Unused recovery codes. */
  recoveryCodesLeft: z.int().nonnegative(),
  /** Whether setting it up requires the current password. */
  needsCurrent: z.boolean(),
});
export type SecondFactorState = z.infer<typeof SecondFactorState>;

/** `current` is required if `needsCurrent` is true. */
export const BeginSecondFactor = z.strictObject({ current: z.string().max(1000).optional() });
export type BeginSecondFactor = z.infer<typeof BeginSecondFactor>;

/** A second factor that its person has not confirmed yet. The secret is returned only here. */
export const SecondFactorSetup = z.object({
  setup: z.string(),
  /** For an authenticator app: base32. */
  secret: z.string(),
  /** The secret as an `otpauth:` address, for a QR code. */
  uri: z.string(),
  expiresAt: z.int(),
});
export type SecondFactorSetup = z.infer<typeof SecondFactorSetup>;

export const ConfirmSecondFactor = z.strictObject({ setup: z.string().min(1).max(200), code: SecondCode });
export type ConfirmSecondFactor = z.infer<typeof ConfirmSecondFactor>;

export const RenewRecoveryCodes = z.strictObject({ code: SecondCode });
export type RenewRecoveryCodes = z.infer<typeof RenewRecoveryCodes>;

/** Each works once, in place of a code of the app. They are returned only here. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

/** `code` is required if the caller has a second factor. */
export const CreateLoginLink = z.strictObject({ code: SecondCode.optional() });
export type CreateLoginLink = z.infer<typeof CreateLoginLink>;
/**
 * One code with two addresses: `url` for this machine, and `publicUrl` for others if there is one.
 */
export const LoginLink = z.object({ url: z.string(), publicUrl: z.string().optional(), expiresAt: z.int() });
export type LoginLink = z.infer<typeof LoginLink>;

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

/**
 * How a session began. A login that ends in `code` was confirmed by the person's second factor.
 */
export const LoginMethod = z.enum([
  "password",
  "password-code",
  "link",
  "link-code",
  "device",
  "invite",
  "passkey",
  "sso",
  "sso-code",
]);
export type LoginMethod = z.infer<typeof LoginMethod>;

/** The second step of a login: the ticket of the first one, and a code. */
export const LogInStep = z.object({ ticket: z.string().max(200), code: z.string().max(MAX_CODE_LENGTH) });
export type LogInStep = z.infer<typeof LogInStep>;

const MAX_PASSKEY_TEXT = 4_000;
const Encoded = z.string().max(MAX_PASSKEY_TEXT);

/** The result of `navigator.credentials.get`, as its `toJSON`. */
export const PasskeyAssertion = z.object({
  id: Encoded,
  rawId: Encoded,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: Encoded,
    authenticatorData: Encoded,
    signature: Encoded,
    userHandle: Encoded.optional(),
  }),
});
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>;

/** The result of `navigator.credentials.create`, as its `toJSON`. */
export const PasskeyAttestation = z.object({
  id: Encoded,
  rawId: Encoded,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: Encoded,
    attestationObject: Encoded,
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
});
export type PasskeyAttestation = z.infer<typeof PasskeyAttestation>;

/** A login with a passkey: the ticket of its challenge, and the signed challenge. */
export const LogInWithPasskey = z.object({ ticket: z.string().max(200), passkey: PasskeyAssertion });
export type LogInWithPasskey = z.infer<typeof LogInWithPasskey>;

/** `options` are the argument of the browser's method, as JSON. */
export const PasskeyChallenge = z.object({
  ticket: z.string(),
  expiresAt: z.int(),
  options: z.record(z.string(), z.unknown()),
});
export type PasskeyChallenge = z.infer<typeof PasskeyChallenge>;

export const PasskeyName = z.string().min(1).max(100);

export const AddPasskey = z.strictObject({
  ticket: z.string().min(1).max(200),
  name: PasskeyName,
  passkey: PasskeyAttestation,
});
export type AddPasskey = z.infer<typeof AddPasskey>;

export const EditPasskey = z.strictObject({ name: PasskeyName });
export type EditPasskey = z.infer<typeof EditPasskey>;

export const PasskeyInfo = z.object({
  id: z.string(),
  name: z.string(),
  /** The name of the house's address for which it works. */
  host: z.string(),
  createdAt: z.int(),
  /** The last login. Absent: it was never used. */
  usedAt: z.int().optional(),
});
export type PasskeyInfo = z.infer<typeof PasskeyInfo>;

export const PasskeyList = z.object({
  passkeys: z.array(PasskeyInfo),
  /** Whether adding one requires the current password. */
  needsCurrent: z.boolean(),
});
export type PasskeyList = z.infer<typeof PasskeyList>;

/** The first step of a login succeeded. The person must now enter a code of their second factor. */
export const SecondStep = z.object({
  /** Sent back with the code. Valid for a few minutes and a few codes. */
  ticket: z.string(),
  expiresAt: z.int(),
});
export type SecondStep = z.infer<typeof SecondStep>;

/** A browser in which a person is logged in. */
export const Session = z.object({
  id: SessionId,
  agent: AgentId,
  /** The name that the person gave it. */
  name: z.string().optional(),
  /** The browser's User-Agent, truncated. */
  about: z.string(),
  /** The address of its last use, if it is known. */
  address: z.string().optional(),
  /** How it began. Absent: unknown. */
  method: LoginMethod.optional(),
  createdAt: z.int(),
  /** The last use, to within five minutes. */
  usedAt: z.int(),
  expiresAt: z.int(),
  /** Whether this is the session of the request. */
  isThis: z.boolean(),
});
export type Session = z.infer<typeof Session>;
export const SessionList = z.array(Session);

/** The answer to a login: the session, or the step that it still needs. */
export const LogInAnswer = z.union([Session, SecondStep]);
export type LogInAnswer = z.infer<typeof LogInAnswer>;

/** How a person confirms a session: as in a login, but without the name. */
export const ConfirmSession = z.union([
  LogInWithPasskey,
  LogInStep,
  z.object({ password: LogIn.shape.password }),
  z.object({ link: z.string().max(200).describe("the code of a login link") }),
]);
export type ConfirmSession = z.infer<typeof ConfirmSession>;

/** Until when the session counts as fresh, or the ticket of the second step. */
export const SessionConfirmed = z.union([z.object({ freshUntil: z.int() }), SecondStep]);
export type SessionConfirmed = z.infer<typeof SessionConfirmed>;

/** An empty name removes it. */
export const EditSession = z.strictObject({ name: z.string().max(100) });
export type EditSession = z.infer<typeof EditSession>;
export const SessionsEnded = z.object({ ended: z.int().nonnegative() });
export type SessionsEnded = z.infer<typeof SessionsEnded>;

export const MAX_INVITE_DAYS = 90;
export const DEFAULT_INVITE_DAYS = 7;
const MAX_ROOMS = 50;

export const CreateInvite = z.strictObject({
  /** The level that the guest gets on the rooms, or on the whole house if no rooms are named. */
  level: Level,
  rooms: z.array(RoomId).min(1).max(MAX_ROOMS).optional(),
  /** The rights that the guest gets beside the level. Only without `rooms`. */
  rights: z.array(Right).max(rights.length).optional(),
  /** A reminder for the list of invites, such as whom the link is for. */
  note: z.string().max(100).optional(),
  /** UTC milliseconds. Default: after 7 days. */
  expiresAt: z.int().positive().optional(),
});
export type CreateInvite = z.infer<typeof CreateInvite>;

export const Invite = z.object({
  id: InviteId,
  house: HouseId,
  level: Level,
  /** Absent: the level applies to the whole house. */
  rooms: z.array(RoomId).optional(),
  rights: z.array(Right).optional(),
  note: z.string().optional(),
  by: AgentId,
  createdAt: z.int(),
  expiresAt: z.int(),
  state: z.enum(["open", "used", "revoked", "expired"]),
  /** The person who used it. */
  usedBy: AgentId.optional(),
});
export type Invite = z.infer<typeof Invite>;
export const InviteList = z.array(Invite);

/** The links contain the token, behind `#`. They are returned only here. */
export const CreatedInvite = Invite.extend({ url: z.string(), publicUrl: z.string().optional() });
export type CreatedInvite = z.infer<typeof CreatedInvite>;

const Token = z.string().min(1).max(200);

export const InviteToken = z.strictObject({ token: Token });
export type InviteToken = z.infer<typeof InviteToken>;

/** The invite as the holder of its link sees it before accepting it. */
export const InvitePreview = z.object({
  house: z.string(),
  /** The name of the person who created the link. */
  by: z.string(),
  level: Level,
  /** Names. Absent: the level applies to the whole house. */
  rooms: z.array(z.string()).optional(),
  rights: z.array(Right).optional(),
  expiresAt: z.int(),
});
export type InvitePreview = z.infer<typeof InvitePreview>;

export const AcceptInvite = z.strictObject({ token: Token, name: RecordName, password: Password });
export type AcceptInvite = z.infer<typeof AcceptInvite>;

export const AcceptedInvite = z.object({
  session: Session,
  /** The name for later logins. */
  handle: z.string(),
  /** The handle of the first room of the invite. */
  room: z.string().optional(),
});
export type AcceptedInvite = z.infer<typeof AcceptedInvite>;

/** The name of a provider, such as `acme` in `[login.oidc.acme]`. */
export const OidcName = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/);

/** A provider as the login page shows it. */
export const OidcProvider = z.object({ name: z.string(), label: z.string() });
export type OidcProvider = z.infer<typeof OidcProvider>;
export const OidcProviders = z.array(OidcProvider);

/** An account at a provider that is linked to a person. */
export const IdentityInfo = z.object({
  id: z.string(),
  /** The name of the provider in the config file when the account was linked. */
  provider: z.string(),
  issuer: z.string(),
  /** The name or the address of the account, as the provider reported it. */
  account: z.string().optional(),
  createdAt: z.int(),
  /** The last login. Absent: it was never used. */
  usedAt: z.int().optional(),
});
export type IdentityInfo = z.infer<typeof IdentityInfo>;

export const IdentityList = z.object({
  identities: z.array(IdentityInfo),
  /** The providers of the config file. */
  providers: OidcProviders,
  /** Whether linking and unlinking require the current password. */
  needsCurrent: z.boolean(),
});
export type IdentityList = z.infer<typeof IdentityList>;

/** The address of the provider that the browser must open. It contains the state of this login. */
export const OidcStart = z.object({ url: z.string(), expiresAt: z.int() });
export type OidcStart = z.infer<typeof OidcStart>;

/** The result of a check of a provider. */
export const OidcCheck = z.object({ ok: z.boolean(), detail: z.string(), hint: z.string().optional() });
export type OidcCheck = z.infer<typeof OidcCheck>;
