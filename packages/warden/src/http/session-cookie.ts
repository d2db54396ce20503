/**
 * The cookie of a session: not sent by other sites' pages, and not readable by scripts. Over https
 * it has another name, so that a browser accepts and sends it only there, and no other host of the
 * domain can set it.
 */
import type { Device, NewSession, Peer } from "../people/index.ts";

export const SESSION_COOKIE = "hearth_session";
const SECURE_SESSION_COOKIE = `__Host-${SESSION_COOKIE}`;
const TRAITS = "HttpOnly; SameSite=Strict; Path=/";

export const isHttps = (origin: string): boolean => origin.startsWith("https:");

/** The name of the cookie for this origin of the house. */
export const sessionCookieOf = (origin: string): string => (isHttps(origin) ? SECURE_SESSION_COOKIE : SESSION_COOKIE);

export const withCookie = (origin: string, { cookie, createdAt, expiresAt }: NewSession) =>
  setCookie(origin, cookie, Math.floor((expiresAt - createdAt) / 1000));

export const withoutCookie = (origin: string) => setCookie(origin, "", 0);

const setCookie = (origin: string, value: string, seconds: number): { readonly "set-cookie": string } => ({
  "set-cookie": `${sessionCookieOf(origin)}=${value}; Max-Age=${seconds}; ${TRAITS}${isHttps(origin) ? "; Secure" : ""}`,
});

/** The browser that a request begins a session for. */
export const deviceOf = ({ headers }: Request, { peer }: { readonly peer: Peer }): Device => ({
  about: headers.get("user-agent") ?? "",
  peer,
});
