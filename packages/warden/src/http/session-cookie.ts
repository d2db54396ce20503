/**
 * The cookie of a session: not sent by other sites' pages, and not readable by scripts. Over https
 * it has another name, so that a browser accepts and sends it only there, and no other host of the
 * domain can set it.
 */
import type { Device, NewSession, Peer } from "../people/index.ts";

export const SESSION_COOKIE = "hearth_session";
const SECURE_SESSION_COOKIE = `__Host-${SESSION_COOKIE}`;
/** Maximum length of a value that is checked. */
const MAX_COOKIE_LENGTH = 512;
/** Maximum number of values of one name that are checked. */
const MAX_COOKIES = 4;
const FLAGS = "HttpOnly; SameSite=Strict; Path=/";

export const isHttps = (origin: string): boolean => origin.startsWith("https:");

/** Returns the name of the cookie for this origin of the house. */
export const sessionCookieName = (origin: string): string => (isHttps(origin) ? SECURE_SESSION_COOKIE : SESSION_COOKIE);

export const sessionCookieHeader = (origin: string, { cookie, createdAt, expiresAt }: NewSession) =>
  setCookie(origin, cookie, Math.floor((expiresAt - createdAt) / 1000));

export const endedCookieHeader = (origin: string) => setCookie(origin, "", 0);

const setCookie = (origin: string, value: string, seconds: number): { readonly "set-cookie": string } => ({
  "set-cookie": `${sessionCookieName(origin)}=${value}; Max-Age=${seconds}; ${FLAGS}${isHttps(origin) ? "; Secure" : ""}`,
});

/** Binds a login by a provider to the browser that started it. */
const OIDC_COOKIE = "hearth_oidc";

/** Returns the name of the cookie of OpenID Connect for this origin of the house. */
export const oidcCookieName = (origin: string): string => (isHttps(origin) ? `__Host-${OIDC_COOKIE}` : OIDC_COOKIE);

/** How long a login that was started at a provider can be finished. Its cookie lives as long. */
export const OIDC_PENDING_MS = 5 * 60_000;

/**
 * Formats the cookie. It is `Lax`, because the provider's page sends the browser back. An empty
 * value removes it.
 */
export const oidcCookieHeader = (origin: string, value: string): string =>
  `${oidcCookieName(origin)}=${value}; Max-Age=${value === "" ? 0 : OIDC_PENDING_MS / 1000}; HttpOnly; SameSite=Lax; Path=/${isHttps(origin) ? "; Secure" : ""}`;

/** Returns the values of a cookie. A browser may first send old values of another path or port. */
export const readCookies = (headers: Headers, cookie: string): readonly string[] => {
  const values = (headers.get("cookie")?.split(";") ?? []).flatMap((pair) => {
    const [name, value = ""] = pair.trim().split("=");
    return name === cookie && value !== "" && value.length <= MAX_COOKIE_LENGTH ? [value] : [];
  });
  return [...new Set(values)].slice(0, MAX_COOKIES);
};

/** Returns the browser for which a request begins a session. */
export const deviceOf = ({ headers }: Request, { peer }: { readonly peer: Peer }): Device => ({
  about: headers.get("user-agent") ?? "",
  peer,
});
