/** Agents' inboxes: listing and archiving messages. */
import { isLimited } from "../../people/lazy.ts";
import type { Principal } from "../../people/index.ts";
import { HearthError, type InboxMessage, includesLevel } from "@hearth/protocol";
import { inboxOperations } from "@hearth/protocol/operations";
import { type App, bind, type RouteOptions } from "./route.ts";

export const inboxRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { house: home, records } = areas.people;
  const { inbox } = areas.agents;

  const canManage = async (principal: Principal, { to }: InboxMessage): Promise<boolean> => {
    if (to === principal.agent && !isLimited(principal)) return true;
    // For a deleted agent, the home's administrators decide.
    const place = (await records.find("agent", to))?.house ?? home;
    return includesLevel(await access.levelOf(principal, place), "x");
  };

  bind(app, options, inboxOperations, {
    list: async ({ principal, params, query }) => {
      const { id } = await access.find(principal, "agent", params.agent);
      return inbox.list(id, query);
    },

    archive: async ({ principal, params }) => {
      const message = await inbox.get(params.id);
      if (await canManage(principal, message)) return inbox.archive(message.id);
      throw new HearthError("inbox.not-found", `There is no message ${message.id} in any inbox.`, {
        hint: "List the inbox of an agent: hearth agent inbox AGENT",
      });
    },
  });
};
