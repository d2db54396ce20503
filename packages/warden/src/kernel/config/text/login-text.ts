/** The table `[login]`: how long logins last, and the OpenID Connect providers with which people log in. */
import { Level, OidcName } from "@hearth/protocol";
import { z } from "zod";
import type { SecretReference } from "../reference.ts";
import { Reference, createIssue, WebUrl } from "../values.ts";
import { isLoopback } from "./server-text.ts";

/** The rights of a person whose account the house creates at their first login. */
export interface NewAccounts {
  readonly level: Level;
  /** Handles of the rooms to which the level applies. Empty if it applies to the first house. */
  readonly rooms: readonly string[];
}

export interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  /** The client's secret. Absent for a public client, which only PKCE protects. */
  readonly clientSecret?: SecretReference;
  /** The text of the button. */
  readonly label: string;
  readonly scopes: readonly string[];
  /** Hosts besides the issuer's to which requests with codes and keys may be sent. */
  readonly hosts: readonly string[];
  /** Whether these hosts may have addresses outside the public network. */
  readonly privateNetwork: boolean;
  /** The claim that lists the groups of a person. Absent if groups are ignored. */
  readonly groupsClaim?: string;
  /** Group → level on the first house. */
  readonly levels: ReadonlyMap<string, Level>;
  /** The rights of new accounts. Absent if only linked and invited people can log in. */
  readonly newAccounts?: NewAccounts;
}

export interface LoginConfig {
  /** Maximum duration of a browser's session. */
  readonly sessionMs: number;
  /** Time without a request after which a session ends. Absent if it does not end. */
  readonly idleMs?: number;
  /** The providers by name, which is part of the callback's path. */
  readonly oidc: ReadonlyMap<string, OidcConfig>;
}

const Issuer = WebUrl.check(({ value, issues }) => {
  const url = URL.parse(value);
  if (url === null) return;
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    issues.push(
      createIssue(value, "must be an address without a password, a query or a fragment", "Copy it from the provider."),
    );
  else if (url.protocol === "http:" && !isLoopback(url.hostname))
    issues.push(
      createIssue(
        value,
        "must begin with https://, because anyone on the network could answer in place of the provider",
        `Write "${value.replace("http:", "https:")}".`,
      ),
    );
});

const Host = z.string().regex(/^[a-z0-9.-]+(:\d+)?$/, "must be a host name, such as oauth2.googleapis.com");

const Fields = z.strictObject({
  issuer: Issuer,
  client_id: z.string().min(1).max(500),
  client_secret: Reference.optional(),
  label: z.string().min(1).max(60).optional(),
  scopes: z
    .array(z.string().regex(/^[!#-[\]-~]+$/, "must be a scope without spaces"))
    .max(20)
    .default(["openid", "profile", "email"]),
  hosts: z.array(Host).max(20).default([]),
  private_network: z.boolean().default(false),
  groups_claim: z.string().min(1).max(200).optional(),
  groups: z.record(z.string().min(1).max(200), Level).optional(),
  create_accounts: z.boolean().default(false),
  level: Level.optional(),
  rooms: z.array(z.string().min(1).max(200)).min(1).max(50).optional(),
});
type Fields = z.infer<typeof Fields>;

const OidcText = Fields.check(({ value, issues }) => {
  if (!value.scopes.includes("openid"))
    issues.push(
      createIssue(value, 'must contain "openid"', 'Write scopes = ["openid", "profile", "email"].', ["scopes"]),
    );
  if ((value.groups_claim === undefined) !== (value.groups === undefined)) {
    const [presentKey, missingKey] =
      value.groups === undefined ? ["groups_claim", "groups"] : ["groups", "groups_claim"];
    const example = missingKey === "groups" ? 'groups = { "staff" = "w" }' : 'groups_claim = "groups"';
    issues.push(createIssue(value, `needs ${missingKey}`, `Write ${example} in the same table.`, [presentKey]));
  }
  for (const key of ["level", "rooms"] as const)
    if (value[key] !== undefined && !value.create_accounts)
      issues.push(
        createIssue(
          value,
          "is only valid with create_accounts = true",
          `Write create_accounts = true, or remove ${key}.`,
          [key],
        ),
      );
});

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const DAYS_ERROR = "must be a whole number of days from 1 to 365";
const MINUTES_ERROR = "must be a whole number of minutes from 15 to 525600";

export const LoginText = z
  .strictObject({
    session_days: z.int(DAYS_ERROR).min(1, DAYS_ERROR).max(365, DAYS_ERROR).default(30),
    idle_minutes: z.int(MINUTES_ERROR).min(15, MINUTES_ERROR).max(525_600, MINUTES_ERROR).optional(),
    oidc: z.record(OidcName, OidcText).prefault({}),
  })
  .prefault({});

export const toLogin = ({ session_days, idle_minutes, oidc }: z.infer<typeof LoginText>): LoginConfig => ({
  sessionMs: session_days * DAY_MS,
  ...(idle_minutes === undefined ? {} : { idleMs: idle_minutes * MINUTE_MS }),
  oidc: new Map(Object.entries(oidc).map(([name, fields]) => [name, toOidc(name, fields)])),
});

const toOidc = (name: string, fields: Fields): OidcConfig => ({
  issuer: fields.issuer,
  clientId: fields.client_id,
  ...(fields.client_secret === undefined ? {} : { clientSecret: fields.client_secret }),
  label: fields.label ?? name,
  scopes: fields.scopes,
  hosts: fields.hosts,
  privateNetwork: fields.private_network,
  ...(fields.groups_claim === undefined ? {} : { groupsClaim: fields.groups_claim }),
  levels: new Map(Object.entries(fields.groups ?? {})),
  ...(fields.create_accounts ? { newAccounts: { level: fields.level ?? "w", rooms: fields.rooms ?? [] } } : {}),
});
