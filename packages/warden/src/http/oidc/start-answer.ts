/** Answers to a started login: the provider's address, and the cookie that binds it to the browser. */
import type { OidcStart } from "@hearth/protocol";
import { answer, emptyAnswer } from "../answer.ts";
import { oidcCookieHeader } from "../session-cookie.ts";
import type { StartedLogin } from "./house-oidc.ts";

export const toStartAnswer = (origin: string, { url, browser, expiresAt }: StartedLogin): Response =>
  answer({ url, expiresAt } satisfies OidcStart, 201, {
    "set-cookie": oidcCookieHeader(origin, browser),
  });

/** Answers a browser that follows a link. */
export const toStartRedirect = (origin: string, { url, browser }: StartedLogin): Response =>
  emptyAnswer(303, { location: url, "set-cookie": oidcCookieHeader(origin, browser) });
