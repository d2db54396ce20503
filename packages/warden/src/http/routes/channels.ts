/**
 * Chat platforms: their state, outgoing deliveries, refused updates, and the fate of each message.
 */
import type { ChannelSettings } from "../../channels/index.ts";
import { type ChannelInfo } from "@hearth/protocol";
import { channelOperations, fateOperations } from "@hearth/protocol/operations";
import { type App, bind, type RouteOptions } from "./route.ts";

export const channelRoutes = (app: App, options: RouteOptions): void => {
  const { access, lifetimes, areas } = options;
  const { channels, outbox, inbound } = areas.messaging;
  const { fates } = areas.turns;

  const describe = async ({ name, kind, mode, agent }: ChannelSettings): Promise<ChannelInfo> => {
    await channels.open(name);
    return { name, kind, mode, agent, ...channels.state(name), ...(await outbox.counts(name)) };
  };

  bind(app, options, channelOperations, {
    list: async () => Promise.all(channels.list().map(describe)),

    test: async ({ caller, request, params }) => {
      const { name } = channels.settings(params.name);
      const channel = await channels.open(name);
      if (channel === undefined) {
        const { error } = channels.state(name);
        return { ok: false, detail: [error?.message, error?.hint].filter(Boolean).join(" ") };
      }
      const life = lifetimes.begin(caller, { peer: request.signal });
      try {
        return await channel.probe(life.signal);
      } finally {
        life.end();
      }
    },

    outbox: async ({ params, query }) => {
      const { name: channel } = channels.settings(params.name);
      const { state, limit } = query;
      return outbox.list({ channel, limit, ...(state === undefined ? {} : { state }) });
    },

    refused: async ({ params, query }) => {
      const { name } = channels.settings(params.name);
      return inbound.refused(name, query.limit);
    },

    decide: async ({ principal, params, body }) => {
      const { decision } = body;
      return outbox.decide(params.id, decision, principal.agent);
    },
  });

  bind(app, options, fateOperations, {
    fates: async ({ principal, params, query }) => {
      const room = await access.find(principal, "room", params.room);
      return fates.list(room.id, query);
    },
  });
};
