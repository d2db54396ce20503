/** Second factors: their status, turning one on and off, and recovery codes. */
import { createOversight } from "../../people/lazy.ts";
import type { Principal } from "../../people/index.ts";
import type { AgentRecord } from "@hearth/protocol";
import { secondFactorOperations } from "@hearth/protocol/operations";
import { createCurrentPassword } from "../current-password.ts";
import { createProof } from "../proof.ts";
import { requirePerson } from "../require-person.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

export const secondFactorRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { logins, secondFactors, permissions } = areas.people;
  const oversight = createOversight(permissions);
  const proof = createProof(logins);
  const currentPassword = createCurrentPassword(areas.people);

  const requireSelf = async (principal: Principal): Promise<AgentRecord> =>
    requirePerson(await access.self(principal), "a second factor");

  const show = async (principal: Principal, { id }: AgentRecord) => ({
    ...(await secondFactors.show(id)),
    needsCurrent: await currentPassword.isNeeded(principal, id),
  });

  bind(app, options, secondFactorOperations, {
    show: async ({ principal, params }) => show(principal, await access.find(principal, "agent", params.agent)),

    begin: async ({ principal, caller, body }) => {
      const person = await requireSelf(principal);
      await currentPassword.require(caller, body.current);
      return secondFactors.begin(person);
    },

    confirm: async ({ principal, caller, body }) => {
      return { recoveryCodes: await secondFactors.confirm(await requireSelf(principal), body, caller.peer) };
    },

    renew: async ({ principal, caller, body }) => {
      return { recoveryCodes: await secondFactors.renew(await requireSelf(principal), body.code, caller.peer) };
    },

    remove: async ({ principal, params }) => {
      const person = await access.find(principal, "agent", params.agent);
      if (person.id === principal.agent) await proof.requireSecondFactor(principal, "Turning the second factor off");
      else await oversight.requireAll(principal, person);
      await secondFactors.remove(person, principal.agent);
      return show(principal, person);
    },
  });
};
