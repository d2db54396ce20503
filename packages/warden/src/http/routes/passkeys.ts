/** Passkeys: adding, naming, listing and removing them, and the challenge for a login. */
import { createOversight, requireVisible } from "../../people/lazy.ts";
import { type AgentRecord, HearthError, type PasskeyInfo } from "@hearth/protocol";
import { passkeyLoginOperations, passkeyOperations } from "@hearth/protocol/operations";
import { createCurrentPassword } from "../current-password.ts";
import { createProof } from "../proof.ts";
import { requirePerson } from "../require-person.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

const FRESH_LOGIN = "Log out, log in again with a passkey or by a new link (`hearth login`), and repeat this.";

export const passkeyRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { logins, passkeys, passwords, secondFactors, permissions } = areas.people;
  const oversight = createOversight(permissions);
  const proof = createProof(logins);
  const currentPassword = createCurrentPassword(areas.people);

  bind(app, options, passkeyOperations, {
    list: async ({ principal, params }) => {
      const { id } = await access.find(principal, "agent", params.agent);
      return {
        passkeys: await passkeys.list(id),
        needsCurrent: await currentPassword.isNeeded(principal, id),
      };
    },

    begin: async ({ principal, caller, body }) => {
      const person = requirePerson(await access.self(principal), "a passkey");
      // A passkey replaces the second factor, so a password alone must not add one.
      if (await secondFactors.isOn(person.id)) await proof.requireSecondFactor(principal, "Adding a passkey");
      await currentPassword.require(caller, body.current);
      if (!(await passwords.has(person.id))) proof.require(principal, "Adding a passkey", FRESH_LOGIN);
      return passkeys.begin(person, caller.origin);
    },

    add: async ({ principal, caller, body }) => {
      requireVisible("request.invalid", "The name of a passkey", body.name);
      return passkeys.add(requirePerson(await access.self(principal), "a passkey"), body, caller.origin);
    },

    edit: async ({ principal, params, body }) => {
      requireVisible("request.invalid", "The name of a passkey", body.name);
      return requirePasskey(await passkeys.rename(principal.agent, params.id, body.name));
    },

    remove: async ({ principal, params }) => {
      const person: AgentRecord = await access.find(principal, "agent", params.agent);
      if (person.id !== principal.agent) await oversight.requireAll(principal, person);
      return requirePasskey(await passkeys.remove(person.id, params.id, principal.agent));
    },
  });
};

export const passkeyLoginRoutes = (app: App, options: RouteOptions): void => {
  const { passkeys } = options.areas.people;
  bind(app, options, passkeyLoginOperations, {
    challenge: async ({ caller: { origin, peer } }) => passkeys.challenge({ origin, peer }),
  });
};

const requirePasskey = (info: PasskeyInfo | undefined): PasskeyInfo => {
  if (info !== undefined) return info;
  throw new HearthError("auth.passkey", "The person has no such passkey.", { hint: "List them: hearth passkey list" });
};
