/** Identities of people at OpenID Connect providers. These types contain no secrets except where noted. */
import { z } from "zod";

/** The name of a provider, such as `work` in `[login.oidc.work]`. */
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
