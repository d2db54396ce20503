/** Pairings with senders on chat platforms. Only people decide. */
import { createOversight } from "../../people/lazy.ts";
import { pairingOperations } from "@hearth/protocol/operations";
import { type App, bind, type RouteOptions } from "./route.ts";

export const pairingRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { pairings, permissions } = areas.people;
  const oversight = createOversight(permissions);

  bind(app, options, pairingOperations, {
    list: async () => pairings.list(),

    approve: async ({ principal, body }) => {
      const { as, ...sender } = body;
      // The pairing lets the sender act as this person, so it counts as a credential.
      const person = as === undefined ? undefined : await access.find(principal, "agent", as.replace(/^@/, ""));
      if (person !== undefined && person.id !== principal.agent) await oversight.requireAll(principal, person);
      return pairings.approve(sender, principal.agent, person?.id);
    },

    test: async ({ principal, params }) => pairings.sendTest(params.channel, params.sender, principal.agent),

    end: async ({ principal, params, query }) => {
      const { channel, sender } = params;
      await pairings[query.how](channel, sender, principal.agent);
    },
  });
};
