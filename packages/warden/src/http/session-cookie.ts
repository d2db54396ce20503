/** The cookie of a session: not sent by other sites' pages, and not readable by scripts. */
import type { NewSession } from "../people/index.ts";

export const SESSION_COOKIE = "hearth_session";
const TRAITS = "HttpOnly; SameSite=Strict; Path=/";

export const withCookie = ({ cookie, createdAt, expiresAt }: NewSession): { readonly "set-cookie": string } => ({
  "set-cookie": `${SESSION_COOKIE}=${cookie}; Max-Age=${Math.floor((expiresAt - createdAt) / 1000)}; ${TRAITS}`,
});

export const WITHOUT_COOKIE = { "set-cookie": `${SESSION_COOKIE}=; Max-Age=0; ${TRAITS}` } as const;
