/** Answers to a started login: the provider's address, and the cookie that binds it to the browser. */
import type { OidcStart } from "@hearth/protocol";
import { answer, emptyAnswer } from "../answer.ts";
import { oidcCookieHeader } from "../session-cookie.ts";
import type { StartedLogin } from "./house-oidc.ts";

/** How long a started login can be finished. The cookie lives as long. */
export const PENDING_MS = 5 * 60_000;
const COOKIE_SECONDS = PENDING_MS / 1000;

export const toStartAnswer = (origin: string, { url, browser, expiresAt }: StartedLogin): Response =>
  answer({ url, expiresAt } satisfies OidcStart, 201, {
    "set-cookie": oidcCookieHeader(origin, browser, COOKIE_SECONDS),
  });

/** Answers a browser that follows a link. */
export const toStartRedirect = (origin: string, { url, browser }: StartedLogin): Response =>
  emptyAnswer(303, { location: url, "set-cookie": oidcCookieHeader(origin, browser, COOKIE_SECONDS) });
