/** Jobs of an agent: their schedules, states, and past slots. */
import type { Principal } from "../../people/index.ts";
import type { AgentRecord } from "@hearth/protocol";
import { jobOperations } from "@hearth/protocol/operations";
import { botOf, personOf } from "./brain-of.ts";
import { type App, bind, type OperationRequest, type RouteOptions } from "./route.ts";

export const jobRoutes = (app: App, options: RouteOptions): void => {
  const { schedule } = options.areas.agents;
  const findBot = (principal: Principal, name: string): Promise<AgentRecord> => botOf(options, principal, name);

  /**
   * Checks that the job exists and that a person makes the request, and throws otherwise.
   */
  const requireJob = async ({ principal, params }: JobRequest) => {
    const { job } = params;
    const agent = await findBot(principal, params.agent);
    await schedule.get(agent, job);
    return { agent, job, by: await personOf(options, principal) };
  };

  bind(app, options, jobOperations, {
    list: async ({ principal, params }) => schedule.list(await findBot(principal, params.agent)),

    add: async ({ principal, params, body }) => {
      const by = await personOf(options, principal);
      return schedule.add(await findBot(principal, params.agent), body, by);
    },

    get: async ({ principal, params }) => {
      const { agent, job } = params;
      return schedule.get(await findBot(principal, agent), job);
    },

    edit: async ({ principal, params, body }) => {
      const { agent, job } = params;
      const by = await personOf(options, principal);
      return schedule.edit(await findBot(principal, agent), job, body, by);
    },

    cancel: async (request) => {
      const { agent, job, by } = await requireJob(request);
      await schedule.cancel(agent, job, by);
    },

    run: async (request) => {
      const { agent, job } = await requireJob(request);
      return schedule.fire(agent, job);
    },

    slots: async ({ principal, params, query }) => {
      const { agent, job } = params;
      return schedule.slots(await findBot(principal, agent), job, query);
    },

    preview: async ({ principal, params, body }) => {
      const agent = await findBot(principal, params.agent);
      return schedule.preview(agent, body);
    },

    openHook: async (request) => {
      const { agent, job, by } = await requireJob(request);
      return schedule.openHook(agent, job, by);
    },

    rotateHook: async (request) => {
      const { agent, job, by } = await requireJob(request);
      return schedule.rotateHook(agent, job, by);
    },

    closeHook: async (request) => {
      const { agent, job, by } = await requireJob(request);
      await schedule.closeHook(agent, job, by);
    },
  });
};

type JobRequest = Pick<OperationRequest<(typeof jobOperations)["get"]>, "principal" | "params">;
