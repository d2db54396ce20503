/**
 * Routes with which the administrators of a house read and change an agent's memory. A change counts as
 * the person's decision.
 */
import { remember } from "../../agents/lazy.ts";
import { HearthError, OWNER_LABEL } from "@hearth/protocol";
import { memoryOperations } from "@hearth/protocol/operations";
import { botOf, personOf } from "./brain-of.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

export const memoryRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { world } = areas.kernel;
  const { brains, memories, forget, dayOf } = areas.agents;

  bind(app, options, memoryOperations, {
    recall: async ({ principal, request, params, body }) => {
      const agent = await botOf(options, principal, params.agent);
      const { query, limit } = body;
      // Callers are administrators of the house or the agent itself, so the audience is private.
      return memories.recall({ agent, audience: "private", query, limit, signal: request.signal });
    },

    remember: async ({ principal, params, body }) => {
      const { text, replaces } = body;
      const person = await personOf(options, principal);
      const agent = await botOf(options, principal, params.agent);
      const { handle } = await access.self(principal);
      const remembered = await remember(await brains.open(agent), {
        agent,
        audience: "private",
        text,
        by: { agent: person, label: OWNER_LABEL },
        day: await dayOf(agent, world.clock.now()),
        from: `@${handle}`,
        ...(replaces === undefined ? {} : { replaces }),
      });
      if (remembered.kind === "refused")
        throw new HearthError("memory.refused", remembered.why, {
          hint: "Search its memory: hearth memory search QUERY",
        });
      const { kind, path } = remembered;
      return { path, wasKnown: kind === "known", replaced: kind === "kept" ? remembered.replaced : [] };
    },

    forget: async ({ principal, params, body }) => {
      const person = await personOf(options, principal);
      const agent = await botOf(options, principal, params.agent);
      const brain = await brains.open(agent);
      const { source, replies = false } = body;
      const by = { agent: person, label: OWNER_LABEL };
      return forget({ agent, brain, source, by, person, replies });
    },

    status: async ({ principal, params }) => {
      const { id } = await botOf(options, principal, params.agent);
      return memories.status(id);
    },

    reindex: async ({ principal, params }) => {
      const { id } = await botOf(options, principal, params.agent);
      await memories.reindex(id);
      return memories.status(id);
    },
  });
};
