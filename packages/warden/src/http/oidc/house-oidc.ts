/**
 * Runs logins by OpenID Connect between their start and their callback. A cookie binds a login to
 * the browser that started it. A login works once, and is kept in memory for five minutes.
 */
import type { Resolver } from "../../cells/index.ts";
import {
  type AgentId,
  HearthError,
  isHearthError,
  type Level,
  type OidcCheck,
  type OidcProvider,
  type SessionId,
  type World,
} from "@hearth/protocol";
import {
  type ConfigSource,
  type Log,
  type OidcConfig,
  readReference,
  type ReferenceSources,
} from "../../kernel/index.ts";
import type { Account } from "../../people/index.ts";
import { createSecondSteps, newSecret } from "../../people/lazy.ts";
import { type Claims, type Exchange, type OidcClient, openOidcClient } from "./oidc-client.ts";
import { OIDC_PENDING_MS } from "../session-cookie.ts";

/** The purpose of a browser's visit to a provider. */
export type Purpose =
  /**
   * `to`: the page of the UI to show afterwards. `asksAgain`: the provider must ask for the person's
   * proof, also if the browser is logged in there. The login is then a fresh one.
   */
  | { readonly kind: "log-in"; readonly to: string; readonly asksAgain: boolean }
  | { readonly kind: "link"; readonly agent: AgentId; readonly session: SessionId };

export interface StartedLogin {
  /** The login page of the provider. */
  readonly url: string;
  /** For the cookie that binds the login to the browser. */
  readonly browser: string;
  readonly expiresAt: number;
}

/** A login that the provider has confirmed. */
export interface FinishedLogin {
  readonly purpose: Purpose;
  readonly account: Account;
  /** The level on the first house that the account's groups give. Absent: groups are ignored. */
  readonly level?: Level;
  readonly newAccounts: OidcConfig["newAccounts"];
}

/** A browser that returns from a provider. */
export interface ProviderCallback {
  readonly state: string | undefined;
  /** The values of its cookie. */
  readonly browsers: readonly string[];
  /** The origin of the house that it uses. */
  readonly origin: string;
  /** The query of its request. */
  readonly search: string;
}

export interface OidcLogins {
  /** Returns the providers of the config file. */
  providers(): Promise<readonly OidcProvider[]>;
  /** Throws `auth.sso`. */
  start(provider: string, origin: string, purpose: Purpose): Promise<StartedLogin>;
  /**
   * Uses the state up. Throws `auth.invalid` for a state that this browser did not get for this
   * provider, and `auth.sso` if the provider did not confirm the login or its groups do not allow it.
   */
  finish(provider: string, callback: ProviderCallback): Promise<FinishedLogin>;
  check(provider: string): Promise<OidcCheck>;
}

export interface OidcLoginsOptions {
  readonly world: World;
  readonly log: Log;
  readonly config: Pick<ConfigSource, "current" | "onChange">;
  readonly references: ReferenceSources;
  readonly resolver: Resolver | undefined;
}

interface PendingLogin {
  readonly provider: string;
  readonly issuer: string;
  readonly origin: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The SHA-256 of the cookie's value. */
  readonly browser: string;
  readonly purpose: Purpose;
}

/**
 * How long a discovery is used for starts. Each callback discovers again, so that rotated keys
 * apply at once.
 */
export const DISCOVERY_MS = 60 * 60_000;

export const createOidcLogins = (options: OidcLoginsOptions): OidcLogins => {
  const { world, log, config, references, resolver } = options;
  const { clock, fetch, hash } = world;
  // Two lists, so that browsers without a credential cannot displace the others.
  const logins = createSecondSteps<PendingLogin>(world, OIDC_PENDING_MS);
  const links = createSecondSteps<PendingLogin>(world, OIDC_PENDING_MS);
  const clients = new Map<string, { readonly client: Promise<OidcClient>; readonly until: number }>();
  config.onChange(() => clients.clear());

  const settingsOf = (name: string): OidcConfig => {
    const provider = config.current().login.oidc.get(name);
    if (provider !== undefined) return provider;
    throw new HearthError("auth.sso", `There is no provider "${name}" in the config file.`, {
      hint: `Add it: [login.oidc.${name}] in hearth.toml.`,
    });
  };

  const openClient = async (name: string): Promise<OidcClient> => {
    const provider = settingsOf(name);
    const { clientSecret } = provider;
    const secret = clientSecret === undefined ? undefined : await readReference(clientSecret, references);
    if (secret !== undefined && secret.text === undefined)
      throw new HearthError("auth.sso", `login.oidc.${name}.client_secret: ${secret.reference} ${secret.problem}.`, {
        hint: secret.remedy,
      });
    return openOidcClient({ clock, fetch, resolver, provider, clientSecret: secret?.text });
  };

  /** Returns the cached client, or discovers the provider. Concurrent starts share one discovery. */
  const clientOf = async (name: string): Promise<OidcClient> => {
    const cached = clients.get(name);
    if (cached !== undefined && clock.monotonic() < cached.until) return cached.client;
    const client = openClient(name);
    const entry = { client, until: clock.monotonic() + DISCOVERY_MS };
    clients.set(name, entry);
    try {
      return await client;
    } catch (error) {
      if (clients.get(name) === entry) clients.delete(name);
      throw error;
    }
  };

  const takePending = ({ state, browsers, origin }: ProviderCallback, provider: string): PendingLogin => {
    const pending = state === undefined ? undefined : (logins.try(state) ?? links.try(state));
    if (state !== undefined) for (const list of [logins, links]) list.end(state);
    const isSameBrowser = browsers.some((browser) => hash(browser) === pending?.browser);
    if (pending !== undefined && isSameBrowser && pending.provider === provider && pending.origin === origin)
      return pending;
    throw new HearthError(
      "auth.invalid",
      "This login was started in another browser, has expired, or was already used.",
      { hint: "Log in again." },
    );
  };

  const redeemLogin = async (name: string, pending: PendingLogin, callback: ProviderCallback): Promise<Claims> => {
    const { nonce, verifier, origin } = pending;
    const client = await openClient(name);
    const callbackUrl = new URL(`${callbackOf(origin, name)}${callback.search}`);
    return client.redeem({ state: callback.state ?? "", nonce, verifier, ...maxAgeOf(pending.purpose) }, callbackUrl);
  };

  return {
    providers: async () => [...config.current().login.oidc].map(([name, { label }]) => ({ name, label })),

    async start(provider, origin, purpose) {
      const { issuer } = settingsOf(provider);
      const client = await clientOf(provider);
      const [browser, nonce, verifier] = [newSecret(world), newSecret(world), newSecret(world)];
      const pending = { provider, issuer, origin, nonce, verifier, browser: hash(browser), purpose };
      const { ticket: state, expiresAt } = (purpose.kind === "log-in" ? logins : links).begin(pending);
      const exchange = { state, nonce, verifier, ...maxAgeOf(purpose) };
      const url = await client.authorize(exchange, callbackOf(origin, provider));
      return { url: url.href, browser, expiresAt };
    },

    async finish(name, callback) {
      const pending = takePending(callback, name);
      const provider = settingsOf(name);
      if (provider.issuer !== pending.issuer)
        throw new HearthError("auth.sso", `The provider "${name}" was changed during the login.`, {
          hint: "Log in again.",
        });
      try {
        const claims = await redeemLogin(name, pending, callback);
        return {
          purpose: pending.purpose,
          account: toAccount(name, claims),
          newAccounts: provider.newAccounts,
          ...levelOf(provider, claims),
        };
      } catch (error) {
        log.write("warn", "a login by a provider failed", { provider: name, error });
        throw error;
      }
    },

    async check(name) {
      const { issuer } = settingsOf(name);
      try {
        await openClient(name);
        return { ok: true, detail: `${issuer} answers, and its settings are complete.` };
      } catch (error) {
        if (!isHearthError(error, "auth.sso")) throw error;
        return { ok: false, detail: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) };
      }
    },
  };
};

const maxAgeOf = (purpose: Purpose): Pick<Exchange, "maxAgeSeconds"> =>
  purpose.kind === "log-in" && purpose.asksAgain ? { maxAgeSeconds: OIDC_PENDING_MS / 1000 } : {};

/** Returns the address that the provider sends browsers back to. */
const callbackOf = (origin: string, provider: string): string => `${origin}/api/login/oidc/${provider}/callback`;

const toAccount = (provider: string, { issuer, subject, account, name }: Claims): Account => ({
  provider,
  issuer,
  subject,
  ...(account === undefined ? {} : { account }),
  ...(name === undefined ? {} : { name }),
});

const LEVELS = ["r", "w", "x"] as const;

/** Returns the highest level of the account's groups. Throws `auth.sso` if groups decide and it has none of them. */
const levelOf = ({ groupsClaim, levels, label }: OidcConfig, { groups }: Claims): Pick<FinishedLogin, "level"> => {
  if (groupsClaim === undefined) return {};
  const groupLevels = groups.map((group) => levels.get(group));
  const level = LEVELS.findLast((level) => groupLevels.includes(level));
  if (level !== undefined) return { level };
  throw new HearthError("auth.sso", `Your account at ${label} is in no group that may use this house.`, {
    hint: "Ask an administrator of the house which group you need.",
  });
};
