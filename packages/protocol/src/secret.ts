/** Secrets of a house: kept by name, given to an agent for a host, and never shown. No schema of an answer has a value. */
import { z } from "zod";
import { HostPattern, HttpMethod } from "./egress.ts";
import { AgentId, SecretGrantId } from "./ids.ts";

/** Largest value, in bytes of UTF-8. */
export const MAX_SECRET_SIZE = 64 * 1024;
/** A shorter one would be found by chance in whatever is said, and could not be kept out of it. */
export const MIN_SECRET_SIZE = 8;

export const SecretName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, "is not a name: letters, digits, _ and -, at most 64");

/** Headers that say how a request is carried, or to whom: what stands in them is not for a secret to decide. */
const CARRYING =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|proxy-.*|:.*)$/i;

/**
 * How a secret stands in a request: `bearer`, in `Authorization` after the word Bearer; `basic:USER`, there as the password of this
 * user, as git over HTTPS takes it; `header:NAME`, as the whole of this header.
 */
export const SecretUse = z
  .string()
  .max(200)
  .regex(
    /^(?:bearer|basic:[\x20-\x39\x3b-\x7e]{1,100}|header:[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100})$/,
    "is not bearer, basic:USER or header:NAME",
  )
  .refine(
    (use) => !use.startsWith("header:") || !CARRYING.test(use.slice("header:".length)),
    "names a header that carries the request",
  );
export type SecretUse = z.infer<typeof SecretUse>;

/** The holder of a grant: an agent, or `providers`, the house's own calls to models. */
export const SecretHolder = z.union([AgentId, z.literal("providers")]);
export type SecretHolder = z.infer<typeof SecretHolder>;

/** The holder, the host and the form of a secret in a request. Without `methods` every method is granted. */
export const NewSecretGrant = z.strictObject({
  /** The agent whose requests carry it. `providers`: the providers in hearth.toml may use it as their key at this host. */
  agent: SecretHolder,
  host: HostPattern,
  /** Absent: 443, and 80 for plain HTTP. */
  port: z.int().min(1).max(65_535).optional(),
  methods: z.array(HttpMethod).min(1).max(7).optional(),
  as: SecretUse,
  /** Also over plain HTTP, where everybody on the way can read it. Absent: over TLS alone. */
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
  /** Grows with each value that it had. */
  version: z.int().positive(),
  createdAt: z.int(),
  /** When it was given the value that it has. */
  setAt: z.int(),
  grants: z.array(SecretGrant),
});
export type SecretInfo = z.infer<typeof SecretInfo>;
export const SecretList = z.array(SecretInfo);

/** The house itself refuses what is too short, too long or no text: a refusal of a schema might show a piece of it. */
const Value = z.string();
export const CreateSecret = z.strictObject({ name: SecretName, value: Value });
export type CreateSecret = z.infer<typeof CreateSecret>;
export const RotateSecret = z.strictObject({ value: Value });
export type RotateSecret = z.infer<typeof RotateSecret>;

/** Where the key lies that all secrets of a home are wrapped with. */
export const keySourceKinds = ["file", "passphrase", "keyring"] as const;
export const KeySourceKind = z.enum(keySourceKinds);
export type KeySourceKind = z.infer<typeof KeySourceKind>;

/** `empty`: no secret was ever kept, so there is no key yet. `locked`: `why` it is not at hand; nothing is read or written meanwhile. */
export const VaultStatus = z.discriminatedUnion("state", [
  z.object({ state: z.literal("empty") }),
  z.object({ state: z.literal("open"), source: KeySourceKind }),
  z.object({ state: z.literal("locked"), source: KeySourceKind, why: z.string(), fix: z.string() }),
]);
export type VaultStatus = z.infer<typeof VaultStatus>;

export const ChangeVaultKey = z.strictObject({
  source: KeySourceKind,
  /** For `passphrase` alone. */
  passphrase: z.string().max(1000).optional(),
});
export type ChangeVaultKey = z.infer<typeof ChangeVaultKey>;
