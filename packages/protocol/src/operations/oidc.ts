/** Operations on logins by OpenID Connect, and on the accounts that are linked to people. */
import { z } from "zod";
import {
  BeginSecondFactor,
  IdentityInfo,
  IdentityList,
  OidcCheck,
  OidcName,
  OidcProviders,
  OidcStart,
} from "../people/credential.ts";
import { AGENT_READ } from "./needs.ts";
import { declareOperations } from "./operation.ts";
import { IdOrHandle } from "./parameters.ts";

const IdentityId = z.string().min(1).max(100);

export const identityOperations = declareOperations("Login", {
  list: {
    id: "listIdentities",
    method: "GET",
    path: "/api/agents/{agent}/identities",
    needs: AGENT_READ,
    summary: "Lists the accounts at OpenID Connect providers that are linked to a person, newest first",
    params: { agent: IdOrHandle },
    answers: { status: 200, schema: IdentityList },
    errors: ["record.not-found"],
  },
  link: {
    id: "linkIdentity",
    method: "POST",
    path: "/api/identities/{provider}/link",
    needs: "credential",
    requiresKey: "whole",
    summary: "Begins to link an account at a provider to you",
    description:
      "Requires the session of a browser, `current` as `setPassword` does, and of a person with a second factor a session that began with a code or a passkey in the last 15 minutes. The browser opens `url`; the account is linked when the provider sends it back.",
    params: { provider: OidcName },
    body: BeginSecondFactor,
    answers: { status: 201, schema: OidcStart },
    errors: ["auth.password", "auth.code", "auth.sso", "auth.limited", "grant.exceeds"],
  },
  unlink: {
    id: "unlinkIdentity",
    method: "POST",
    path: "/api/agents/{agent}/identities/{id}/unlink",
    needs: AGENT_READ,
    requiresKey: "whole",
    summary: "Unlinks an account from a person",
    description:
      "Your own requires the same as linking, and another way to log in. Another person's requires all of their rights.",
    params: { agent: IdOrHandle, id: IdentityId },
    body: BeginSecondFactor,
    answers: { status: 200, schema: IdentityInfo },
    errors: ["record.not-found", "auth.password", "auth.code", "auth.sso", "auth.limited", "grant.exceeds"],
  },
  test: {
    id: "testOidc",
    method: "POST",
    path: "/api/login/oidc/{provider}/test",
    needs: "x on home",
    summary: "Checks the discovery and the settings of a provider",
    params: { provider: OidcName },
    refusesBody: true,
    answers: { status: 200, schema: OidcCheck },
    errors: ["auth.sso"],
  },
});

/** For a browser that is not logged in. */
export const oidcLoginOperations = declareOperations("Login", {
  providers: {
    id: "listOidcProviders",
    method: "GET",
    path: "/api/login/oidc",
    needs: "nothing",
    summary: "Lists the OpenID Connect providers of the login page",
    answers: { status: 200, schema: OidcProviders },
  },
  start: {
    id: "startOidc",
    method: "GET",
    path: "/api/login/oidc/{provider}",
    needs: "nothing",
    summary: "Sends the browser to a provider to log in",
    description:
      "`to` is the page of the UI to show after the login. Addresses of other sites are ignored. With `again`, the provider must ask for the person's proof, also if the browser is logged in there, and the login is a fresh one. A provider that does not report the time of the login (`auth_time`) is refused then.",
    params: { provider: OidcName },
    query: z.object({ to: z.string().max(2_000).optional(), again: z.enum(["true", "false"]).optional() }),
    answers: { status: 303, text: "The provider's login page; a cookie binds the login to this browser." },
    errors: ["auth.sso", "auth.limited"],
  },
  callback: {
    id: "finishOidc",
    method: "GET",
    path: "/api/login/oidc/{provider}/callback",
    needs: "nothing",
    summary: "Receives the browser from a provider, and begins its session",
    params: { provider: OidcName },
    query: z.object({
      state: z.string().max(200).optional(),
      code: z.string().max(4_000).optional(),
      iss: z.string().max(2_000).optional(),
      error: z.string().max(200).optional(),
    }),
    answers: { status: 303, text: "Logged in; the cookie is set." },
    otherwise: { status: 200, schema: z.string(), type: "text/html", text: "The form of the second step." },
    errors: ["auth.invalid", "auth.sso", "auth.limited", "record.invalid", "record.handle-taken", "record.not-found"],
  },
});
