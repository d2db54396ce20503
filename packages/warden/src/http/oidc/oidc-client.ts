/**
 * The OpenID Connect client: discovery, the authorization code flow with PKCE, state and nonce, and
 * the claims of the ID token. Loaded at the first login by a provider, with its library.
 */
import { HearthError, isHearthError } from "@hearth/protocol";
import * as library from "openid-client";
import type { OidcConfig } from "../../kernel/index.ts";
import { createProviderFetch, type ProviderFetchOptions, requireAllowed } from "./provider-fetch.ts";

/** The values that must stay secret between the start and the callback of a login. */
export interface Exchange {
  readonly state: string;
  readonly nonce: string;
  /** PKCE. */
  readonly verifier: string;
  /**
   * Maximum age of the person's login at the provider. If the login is older, the provider asks for
   * it again. Absent: any login of the browser there is accepted.
   */
  readonly maxAgeSeconds?: number;
}

/** The claims of a login that the house uses. Issuer and subject alone identify the account. */
export interface Claims {
  readonly issuer: string;
  readonly subject: string;
  readonly name?: string;
  /** How the provider names the account. */
  readonly account?: string;
  readonly groups: readonly string[];
}

export interface OidcClient {
  /** Returns the address of the provider's login page. */
  authorize(exchange: Exchange, redirectUri: string): Promise<URL>;
  /** Exchanges the code of a callback for the checked claims. Throws `auth.sso`. */
  redeem(exchange: Exchange, callback: URL): Promise<Claims>;
}

export interface OidcClientOptions extends ProviderFetchOptions {
  readonly provider: OidcConfig;
  readonly clientSecret: string | undefined;
}

/** Maximum difference between the clocks of the house and of the provider. */
const TOLERANCE_SECONDS = 30;
const MAX_GROUPS = 1_000;

/** Discovers the provider. Throws `auth.sso`. */
export const openOidcClient = async (options: OidcClientOptions): Promise<OidcClient> => {
  const { provider } = options;
  const configuration = await discover(options);
  const { authorization_endpoint: loginPage, userinfo_endpoint: userInfoUrl } = configuration.serverMetadata();
  if (loginPage === undefined || URL.parse(loginPage) === null)
    throw new HearthError("auth.sso", `${provider.label} names no login page.`, {
      hint: "Correct `issuer` in its table of hearth.toml.",
    });
  requireAllowed(new URL(loginPage), provider);

  return {
    async authorize({ state, nonce, verifier, maxAgeSeconds }, redirectUri) {
      return library.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: provider.scopes.join(" "),
        state,
        nonce,
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        ...(maxAgeSeconds === undefined ? {} : { prompt: "login", max_age: String(maxAgeSeconds) }),
      });
    },

    redeem: ({ state, nonce, verifier, maxAgeSeconds }, callback) =>
      withProviderErrors(provider, "did not confirm the login", async () => {
        const tokens = await library.authorizationCodeGrant(configuration, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
          ...(maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }),
        });
        const token = tokens.claims();
        if (token === undefined) throw new TypeError("no ID token");
        const isComplete =
          typeof token["name"] === "string" &&
          (provider.groupsClaim === undefined || token[provider.groupsClaim] !== undefined);
        const userInfo =
          isComplete || userInfoUrl === undefined
            ? {}
            : await library.fetchUserInfo(configuration, tokens.access_token, token.sub);
        return toClaims(token.iss, token.sub, { ...userInfo, ...token }, provider);
      }),
  };
};

const discover = (options: OidcClientOptions): Promise<library.Configuration> => {
  const { provider, clientSecret } = options;
  return withProviderErrors(provider, "could not be discovered", async () => {
    const issuer = new URL(provider.issuer);
    const configuration = await library.discovery(
      issuer,
      provider.clientId,
      { [library.clockTolerance]: TOLERANCE_SECONDS },
      (server, client, body, headers) => authenticate(server, clientSecret)(server, client, body, headers),
      {
        [library.customFetch]: createProviderFetch(options),
        // Each request has its own limit, by the clock of the house.
        timeout: 0,
        // The schema of the config file allows http on this machine only.
        execute: issuer.protocol === "http:" ? [library.allowInsecureRequests] : [],
      },
    );
    // Checks the signature of the ID token also where TLS has protected it.
    library.enableNonRepudiationChecks(configuration);
    return configuration;
  });
};

/** Returns the authentication method that the provider supports, by default that of the specification. */
const authenticate = (
  { token_endpoint_auth_methods_supported: methods }: library.ServerMetadata,
  secret: string | undefined,
): library.ClientAuth => {
  if (secret === undefined) return library.None();
  const isBasic = methods === undefined || methods.includes("client_secret_basic");
  return isBasic ? library.ClientSecretBasic(secret) : library.ClientSecretPost(secret);
};

const toClaims = (
  issuer: string,
  subject: string,
  claims: Readonly<Record<string, unknown>>,
  { groupsClaim }: OidcConfig,
): Claims => {
  const name = findFirstText(claims["name"], claims["preferred_username"], claims["nickname"]);
  const account = findFirstText(claims["email"], claims["preferred_username"], claims["name"]);
  const groups = groupsClaim === undefined ? [] : claims[groupsClaim];
  return {
    issuer,
    subject,
    ...(name === undefined ? {} : { name }),
    ...(account === undefined ? {} : { account }),
    groups: (Array.isArray(groups) ? groups : [groups])
      .slice(0, MAX_GROUPS)
      .filter((group): group is string => typeof group === "string"),
  };
};

const findFirstText = (...values: readonly unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === "string" && value.trim() !== "");

/** Converts an error of the library to `auth.sso`. Its text may quote the provider's answer, so it is shortened. */
const withProviderErrors = async <Value>(
  { label }: OidcConfig,
  problem: string,
  work: () => Promise<Value>,
): Promise<Value> => {
  try {
    return await work();
  } catch (error) {
    const hearthError = findHearthError(error);
    if (hearthError !== undefined) throw hearthError;
    throw new HearthError("auth.sso", `${label} ${problem}: ${reasonOf(error)}.`, {
      hint: "Try again. If it fails again, an administrator can run: hearth identity test NAME",
      cause: error,
    });
  }
};

/** Returns our own error, which the library may have wrapped, or undefined if the error is the library's. */
const findHearthError = (error: unknown): HearthError | undefined => {
  if (isHearthError(error)) return error;
  return error instanceof Error && error.cause !== undefined ? findHearthError(error.cause) : undefined;
};

const MAX_REASON_LENGTH = 100;

/** Returns the error code of the provider's answer, or otherwise the library's text. */
const reasonOf = (error: unknown): string => {
  const { error: errorCode, message } = error as { readonly error?: unknown; readonly message?: unknown };
  const reason = [errorCode, message].find((part): part is string => typeof part === "string" && part !== "");
  return (reason ?? "unknown").replace(/[^\w ():"'.,-]/g, "").slice(0, MAX_REASON_LENGTH);
};
