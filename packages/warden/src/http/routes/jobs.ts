/** Jobs of an agent: their schedules, states, and past slots. */
import type { Principal } from "../../people/index.ts";
import { type AgentRecord } from "@hearth/protocol";
import { jobOperations } from "@hearth/protocol/operations";
import { botOf, personOf } from "./brain-of.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

export const jobRoutes = (app: App, options: RouteOptions): void => {
  const { schedule } = options.areas.agents;
  const find = (principal: Principal, name: string): Promise<AgentRecord> => botOf(options, principal, name);

  /** The agent of an existing job. */
  const whose = async (principal: Principal, name: string, job: string): Promise<AgentRecord> => {
    const agent = await find(principal, name);
    await schedule.get(agent, job);
    return agent;
  };

  bind(app, options, jobOperations, {
    list: async ({ principal, params }) => schedule.list(await find(principal, params.agent)),

    add: async ({ principal, params, body }) => {
      const by = await personOf(options, principal);
      return schedule.add(await find(principal, params.agent), body, by);
    },

    get: async ({ principal, params }) => {
      const { agent, job } = params;
      return schedule.get(await find(principal, agent), job);
    },

    edit: async ({ principal, params, body }) => {
      const { agent, job } = params;
      const by = await personOf(options, principal);
      return schedule.edit(await find(principal, agent), job, body, by);
    },

    cancel: async ({ principal, params }) => {
      const { agent, job } = params;
      const owner = await whose(principal, agent, job);
      await schedule.cancel(owner, job, await personOf(options, principal));
    },

    run: async ({ principal, params }) => {
      const { agent, job } = params;
      const owner = await whose(principal, agent, job);
      await personOf(options, principal);
      return schedule.fire(owner, job);
    },

    slots: async ({ principal, params, query }) => {
      const { agent, job } = params;
      return schedule.slots(await find(principal, agent), job, query);
    },

    preview: async ({ principal, params, body }) => {
      const agent = await botOf(options, principal, params.agent);
      return schedule.preview(agent, body);
    },

    openHook: async ({ principal, params }) => {
      const { agent, job } = params;
      const owner = await whose(principal, agent, job);
      return schedule.openHook(owner, job, await personOf(options, principal));
    },

    rotateHook: async ({ principal, params }) => {
      const { agent, job } = params;
      const owner = await whose(principal, agent, job);
      return schedule.rotateHook(owner, job, await personOf(options, principal));
    },

    closeHook: async ({ principal, params }) => {
      const { agent, job } = params;
      const owner = await whose(principal, agent, job);
      await schedule.closeHook(owner, job, await personOf(options, principal));
    },
  });
};
