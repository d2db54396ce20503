/**
 * Chat platforms: their state, outgoing deliveries, refused updates, and the fate of each message.
 */
import type { ChannelSettings } from "../../channels/index.ts";
import type { Principal } from "../../people/index.ts";
import { actorOf } from "../../people/lazy.ts";
import { type ChannelInfo, HearthError } from "@hearth/protocol";
import { channelOperations, fateOperations } from "@hearth/protocol/operations";
import { createProof } from "../proof.ts";
import { createRequestScope } from "./request-scope.ts";
import { type App, bind, type RouteOptions } from "./route.ts";
import type { Access } from "../access.ts";

const REFERENCE_HINT =
  "Send the token itself as `token`, or run `hearth channel add NAME --token REFERENCE` on the daemon's machine, or log in again with a link from `hearth login`.";

const OPEN_HINT = "Log in again with a link from `hearth login`, or admit only senders with a code.";

export const channelRoutes = (app: App, options: RouteOptions): void => {
  const { access, lifetimes, areas } = options;
  const { channels, changes, outbox, inbound } = areas.messaging;
  const { logins } = areas.people;
  const proof = createProof(logins);
  const whileRequested = createRequestScope(lifetimes);

  const describe = async ({ name, kind, mode, agent }: ChannelSettings): Promise<ChannelInfo> => {
    await channels.open(name);
    const [counts, lastMessageAt] = await Promise.all([outbox.counts(name), outbox.lastMessageAt(name)]);
    const lastMessageField = lastMessageAt === undefined ? {} : { lastMessageAt };
    return { name, kind, mode, agent, ...channels.state(name), ...counts, ...lastMessageField };
  };

  bind(app, options, channelOperations, {
    list: async () => Promise.all(channels.list().map(describe)),

    create: async ({ principal, body }) => {
      const { agent: agentName = "main", tokenReference, ...channel } = body;
      if (tokenReference !== undefined) proof.require(principal, "A reference to a token", REFERENCE_HINT);
      if (body.admission?.mode === "open") proof.require(principal, "A channel for all senders", OPEN_HINT);
      const agent = await findBot(access, principal, agentName);
      await changes.add({ ...channel, agent, tokenReference }, actorOf(principal));
      return describe(channels.settings(body.name));
    },

    change: async ({ principal, caller, request, params, body }) => {
      const { agent, token, tokenReference } = body;
      if (tokenReference !== undefined) proof.require(principal, "A reference to a token", REFERENCE_HINT);
      const { name } = channels.settings(params.name);
      const values = {
        name,
        token,
        tokenReference,
        ...(agent === undefined ? {} : { agent: await findBot(access, principal, agent) }),
      };
      const draft = { token, tokenReference };
      const test =
        (token ?? tokenReference) === undefined
          ? undefined
          : await whileRequested({ caller, request }, (signal) => channels.testToken(name, draft, signal));
      if (test?.ok !== false) await changes.change(values, actorOf(principal));
      return { channel: await describe(channels.settings(name)), ...(test === undefined ? {} : { test }) };
    },

    remove: async ({ principal, params }) => changes.remove(params.name, actorOf(principal)),

    test: async ({ caller, request, params }) => {
      const { name } = channels.settings(params.name);
      const channel = await channels.open(name);
      if (channel === undefined) {
        const { error } = channels.state(name);
        return { ok: false, detail: [error?.message, error?.hint].filter(Boolean).join(" ") };
      }
      return whileRequested({ caller, request }, (signal) => channel.probe(signal));
    },

    testNew: ({ caller, request, body }) =>
      whileRequested({ caller, request }, (signal) => channels.testNew(body, signal)),

    outbox: async ({ params, query }) => {
      const { name: channel } = channels.settings(params.name);
      const { state, limit } = query;
      return outbox.list({ channel, limit, ...(state === undefined ? {} : { state }) });
    },

    refused: async ({ params, query }) => {
      const { name } = channels.settings(params.name);
      return inbound.listRefused(name, query.limit);
    },

    decide: async ({ principal, params, body }) => {
      const { decision } = body;
      return outbox.decide(params.id, decision, principal.agent);
    },
  });

  fateRoutes(app, options);
};

const fateRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { fates } = areas.turns;

  bind(app, options, fateOperations, {
    fates: async ({ principal, params, query }) => {
      const room = await access.find(principal, "room", params.room);
      return fates.list(room.id, query);
    },
  });
};

/** Returns the handle of the agent that answers. */
const findBot = async (access: Access, principal: Principal, name: string): Promise<string> => {
  const { content, handle } = await access.find(principal, "agent", name);
  if (content.kind === "bot") return handle;
  throw new HearthError("config.invalid", `@${handle} is a person. Only an agent can answer on a channel.`, {
    hint: "Name an agent: hearth agent list",
  });
};
