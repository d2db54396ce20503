/** Accounts at OpenID Connect providers that are linked to people: listing, linking and unlinking them. */
import { createOversight } from "../../people/lazy.ts";
import { type AgentRecord, HearthError } from "@hearth/protocol";
import { identityOperations } from "@hearth/protocol/operations";
import { answer } from "../answer.ts";
import { createCurrentPassword } from "../current-password.ts";
import type { Caller } from "../http.ts";
import { toStartAnswer } from "../oidc/start-answer.ts";
import { createProof } from "../proof.ts";
import { requirePerson } from "../require-person.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

const FRESH_LOGIN = "Log out, log in again with a passkey or by a new link (`hearth login`), and repeat this.";

export const identityRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { people } = areas;
  const { oidc } = areas.daemon;
  const { logins, identities, passwords, secondFactors, permissions } = people;
  const oversight = createOversight(permissions);
  const proof = createProof(logins);
  const currentPassword = createCurrentPassword(people);

  /**
   * Throws unless the caller has proved the person's identity. A linked account logs in, so an open
   * browser alone must not change linked accounts.
   */
  const requireFresh = async (caller: Caller, current: string | undefined, subject: string): Promise<void> => {
    const { principal } = caller;
    if (await secondFactors.isOn(principal.agent)) await proof.requireSecondFactor(principal, subject);
    await currentPassword.require(caller, current);
    if (!(await passwords.has(principal.agent))) proof.require(principal, subject, FRESH_LOGIN);
  };

  bind(app, options, identityOperations, {
    list: async ({ principal, params }) => {
      const { id } = await access.find(principal, "agent", params.agent);
      return {
        identities: await identities.list(id),
        providers: await oidc.providers(),
        needsCurrent: await currentPassword.isNeeded(principal, id),
      };
    },

    link: async ({ principal, caller, params, body }) => {
      const { id: agent } = requirePerson(await access.self(principal), "a linked account");
      await requireFresh(caller, body.current, "Linking an account");
      const { session } = principal;
      if (session === undefined)
        throw new HearthError("auth.sso", "Only a browser can link an account.", {
          hint: "Log in with a browser, and open Settings → Account.",
        });
      const startedLogin = await oidc.start(params.provider, caller.origin, { kind: "link", agent, session });
      return toStartAnswer(caller.origin, startedLogin);
    },

    unlink: async ({ principal, caller, params, body }) => {
      const person: AgentRecord = await access.find(principal, "agent", params.agent);
      if (person.id === principal.agent) await requireFresh(caller, body.current, "Unlinking an account");
      else await oversight.requireAll(principal, person);
      const info = await identities.unlink(person.id, params.id, principal.agent);
      if (info !== undefined) return answer(info);
      throw new HearthError("auth.sso", "The person has no such linked account.", {
        hint: "See the linked accounts under Settings → Account.",
      });
    },

    test: async ({ params }) => oidc.check(params.provider),
  });
};
