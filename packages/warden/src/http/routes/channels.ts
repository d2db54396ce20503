/**
 * Chat platforms: their state, outgoing deliveries, refused updates, and the fate of each message.
 */
import type { ChannelSettings } from "../../channels/index.ts";
import { createRoute } from "@hono/zod-openapi";
import {
  type ChannelInfo,
  ChannelList,
  ChannelTest,
  DecideDelivery,
  Delivery,
  DeliveryId,
  DeliveryList,
  DeliveryQuery,
  FatePage,
  FateQuery,
  RefusedInboundList,
  RefusedQuery,
} from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import { type App, jsonBody, jsonOperation, Name, operation, type RouteOptions } from "./route.ts";

const ChannelPath = z.object({ name: z.string().min(1).max(64) });

export const channelRoutes = (app: App, options: RouteOptions): void => {
  const { channels, outbox, inbound, fates, access, lifetimes } = options;
  const tag = "Channels";

  const describe = async ({ name, kind, mode, agent }: ChannelSettings): Promise<ChannelInfo> => {
    await channels.open(name);
    return { name, kind, mode, agent, ...channels.state(name), ...(await outbox.counts(name)) };
  };

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/channels",
      ...operation(options, {
        ...{ id: "listChannels", tag, needs: "x on home", summary: "Lists the chat platforms of the house" },
        answers: { status: 200, schema: ChannelList },
      }),
    }),
    async () => answer(await Promise.all(channels.list().map(describe))),
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/channels/{name}/test",
      ...operation(options, {
        ...{ id: "testChannel", tag, needs: "x on home", summary: "Asks the platform for the account's identity" },
        answers: { status: 200, schema: ChannelTest },
        errors: ["channel.unknown"],
      }),
      request: { params: ChannelPath },
    }),
    async (c) => {
      const { name } = channels.settings(c.req.valid("param").name);
      const channel = await channels.open(name);
      if (channel === undefined) {
        const { error } = channels.state(name);
        return answer({ ok: false, detail: [error?.message, error?.hint].filter(Boolean).join(" ") });
      }
      const life = lifetimes.begin(c.env, { peer: c.req.raw.signal });
      try {
        return answer(await channel.probe(life.signal));
      } finally {
        life.end();
      }
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/channels/{name}/outbox",
      ...operation(options, {
        ...{
          id: "listDeliveries",
          tag,
          needs: "x on home",
          summary: "Lists the deliveries of a channel, newest first",
        },
        answers: { status: 200, schema: DeliveryList },
        errors: ["channel.unknown"],
      }),
      request: { params: ChannelPath, query: DeliveryQuery },
    }),
    async (c) => {
      const { name: channel } = channels.settings(c.req.valid("param").name);
      const { state, limit } = c.req.valid("query");
      return answer(await outbox.list({ channel, limit, ...(state === undefined ? {} : { state }) }));
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/channels/{name}/refused",
      ...operation(options, {
        ...{ id: "listRefused", tag, needs: "x on home" },
        summary: "Lists incoming updates that did not become a message, newest first",
        answers: { status: 200, schema: RefusedInboundList },
        errors: ["channel.unknown"],
      }),
      request: { params: ChannelPath, query: RefusedQuery },
    }),
    async (c) => {
      const { name } = channels.settings(c.req.valid("param").name);
      return answer(await inbound.refused(name, c.req.valid("query").limit));
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/outbox/{id}",
      ...jsonOperation(options, {
        ...{
          id: "decideDelivery",
          tag,
          needs: "x on home",
          summary: "Decides about a delivery with unknown outcome",
        },
        description: "`resend`: sends it again, so it may arrive twice. `leave`: keeps it as it is.",
        answers: { status: 200, schema: Delivery },
        errors: ["record.not-found", "record.version"],
      }),
      request: { params: z.object({ id: DeliveryId }), body: jsonBody(DecideDelivery) },
    }),
    async (c) => {
      const { decision } = c.req.valid("json");
      return answer(await outbox.decide(c.req.valid("param").id, decision, c.env.principal.agent));
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/rooms/{room}/fates",
      ...operation(options, {
        ...{
          id: "listFates",
          tag,
          needs: "r on room {room}",
          summary: "Lists the fate of each message of a person in a room",
        },
        answers: { status: 200, schema: FatePage },
        errors: ["record.not-found"],
      }),
      request: { params: z.object({ room: Name }), query: FateQuery },
    }),
    async (c) => {
      const room = await access.find(c.env.principal, "room", c.req.valid("param").room);
      return answer(await fates.list(room.id, c.req.valid("query")));
    },
  );
};
