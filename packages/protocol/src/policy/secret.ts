/**
 * Secrets of a house: stored by name, granted to an agent for a host, never shown. No response type
 * has a value.
 */
import { z } from "zod";
import { HostPattern, HttpMethod } from "./egress.ts";
import { AgentId, SecretGrantId } from "../base/ids.ts";

/** Maximum size of a value, in bytes of UTF-8. */
export const MAX_SECRET_SIZE = 64 * 1024;
/** Minimum size. A shorter value would occur in ordinary text by chance and could not be redacted. */
export const MIN_SECRET_SIZE = 8;

/** Names of secrets. */
export const SECRET_NAME = /^[A-Za-z0-9_-]{1,64}$/;
export const SecretName = z.string().regex(SECRET_NAME, "must be 1 to 64 letters, digits, _ or -");

/** A key or token that a person types. */
export const KeyText = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[\x21-\x7e]+$/, "is not one word of printable ASCII");

/** Headers that control the connection or the routing of a request. A secret cannot set them. */
const CONTROL_HEADERS =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|proxy-.*|:.*)$/i;

/**
 * Where a request carries the secret. `bearer`: in `Authorization`, after `Bearer`. `basic:USER`:
 * in `Authorization`, as this user's password, as git over HTTPS expects. `header:NAME`: as the
 * value of this header.
 */
export const SecretUse = z
  .string()
  .max(200)
  .regex(
    /^(?:bearer|basic:[\x20-\x39\x3b-\x7e]{1,100}|header:[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100})$/,
    "is not bearer, basic:USER or header:NAME",
  )
  .refine(
    (use) => !use.startsWith("header:") || !CONTROL_HEADERS.test(use.slice("header:".length)),
    "names a header that controls the connection or the routing",
  );
export type SecretUse = z.infer<typeof SecretUse>;

/** The holder of a grant: an agent, or `providers`, the house's own model requests. */
export const SecretHolder = z.union([AgentId, z.literal("providers")]);
export type SecretHolder = z.infer<typeof SecretHolder>;

/**
 * A grant: who may use the secret, at which host, and where in the request. Without `methods`, all
 * methods are granted.
 */
export const NewSecretGrant = z.strictObject({
  /**
   * The agent whose requests carry it. `providers`: the providers in hearth.toml may use it as
   * their key at this host.
   */
  agent: SecretHolder,
  host: HostPattern,
  /** Absent: 443, and 80 for plain HTTP. */
  port: z.int().min(1).max(65_535).optional(),
  methods: z.array(HttpMethod).min(1).max(7).optional(),
  as: SecretUse,
  /** Also over plain HTTP, where anyone on the network path can read it. Absent: TLS only. */
  plain: z.literal(true).optional(),
});
export type NewSecretGrant = z.infer<typeof NewSecretGrant>;

export const SecretGrant = NewSecretGrant.extend({
  id: SecretGrantId,
  by: AgentId,
  /** UTC milliseconds. */
  at: z.int(),
});
export type SecretGrant = z.infer<typeof SecretGrant>;

export const SecretInfo = z.object({
  name: SecretName,
  /** Increases with each new value. */
  version: z.int().positive(),
  createdAt: z.int(),
  /** When the current value was set. */
  setAt: z.int(),
  grants: z.array(SecretGrant),
});
export type SecretInfo = z.infer<typeof SecretInfo>;
export const SecretList = z.array(SecretInfo);

/** The house checks the size and the encoding: a schema error could contain part of the value. */
const Value = z.string();
export const CreateSecret = z.strictObject({ name: SecretName, value: Value });
export type CreateSecret = z.infer<typeof CreateSecret>;
export const RotateSecret = z.strictObject({ value: Value });
export type RotateSecret = z.infer<typeof RotateSecret>;

/** Where the vault key is stored, which encrypts all secrets of a home. */
export const keySourceKinds = ["file", "passphrase", "keyring"] as const;
export const KeySourceKind = z.enum(keySourceKinds);
export type KeySourceKind = z.infer<typeof KeySourceKind>;

/**
 * `empty`: no secret was ever stored, so there is no key yet. `locked`: the key is not available,
 * for the reason in `why`, and secrets can be neither read nor written.
 */
export const VaultStatus = z.discriminatedUnion("state", [
  z.object({ state: z.literal("empty") }),
  z.object({ state: z.literal("open"), source: KeySourceKind }),
  z.object({ state: z.literal("locked"), source: KeySourceKind, why: z.string(), fix: z.string() }),
]);
export type VaultStatus = z.infer<typeof VaultStatus>;

export const ChangeVaultKey = z.strictObject({
  source: KeySourceKind,
  /** Only for `passphrase`. */
  passphrase: z.string().max(1000).optional(),
});
export type ChangeVaultKey = z.infer<typeof ChangeVaultKey>;
