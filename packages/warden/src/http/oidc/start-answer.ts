/** Answers to a started login: the provider's address, and the cookie that binds it to the browser. */
import type { OidcStart } from "@hearth/protocol";
import { answer, emptyAnswer } from "../answer.ts";
import { oidcCookieHeader } from "../session-cookie.ts";
import type { StartedLogin } from "./house-oidc.ts";

/** Lifetime of the cookie, which is that of an open login. */
const COOKIE_SECONDS = 5 * 60;

export const toStartAnswer = (origin: string, { url, browser, expiresAt }: StartedLogin): Response =>
  answer({ url, expiresAt } satisfies OidcStart, 201, {
    "set-cookie": oidcCookieHeader(origin, browser, COOKIE_SECONDS),
  });

/** Answers a browser that follows a link. */
export const toStartRedirect = (origin: string, { url, browser }: StartedLogin): Response =>
  emptyAnswer(303, { location: url, "set-cookie": oidcCookieHeader(origin, browser, COOKIE_SECONDS) });
