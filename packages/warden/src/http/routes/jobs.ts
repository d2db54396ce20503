/** Jobs of an agent: their schedules, states, and past slots. */
import type { Principal } from "../../people/index.ts";
import { createRoute } from "@hono/zod-openapi";
import {
  AddJob,
  type AgentRecord,
  Job,
  JobList,
  JobName,
  JobSlot,
  JobSlotList,
  JobSlotQuery,
  PatchJob,
} from "@hearth/protocol";
import { z } from "zod";
import { answer, emptyAnswer } from "../answer.ts";
import { botOf, personOf } from "./brain-of.ts";
import { type App, jsonBody, jsonOperation, Name, operation, type RouteOptions } from "./route.ts";

const AgentPath = z.object({ agent: Name });
const JobPath = z.object({ agent: Name, job: JobName });
const PATH = "/api/agents/{agent}/jobs";
const LOOKS = "x on agent {agent} or self";
const DECIDES = "x on agent {agent}";
const ABSENT = ["record.not-found", "brain.not-found", "job.not-found"] as const;
const WRITES = ["job.invalid", "brain.changed", "brain.too-large"] as const;

export const jobRoutes = (app: App, options: RouteOptions): void => {
  const { schedule } = options;
  const tag = "Jobs";
  const find = (principal: Principal, name: string): Promise<AgentRecord> => botOf(options, principal, name);

  /** The agent of an existing job. */
  const whose = async (principal: Principal, name: string, job: string): Promise<AgentRecord> => {
    const agent = await find(principal, name);
    await schedule.get(agent, job);
    return agent;
  };

  app.openapi(
    createRoute({
      method: "get",
      path: PATH,
      ...operation(options, {
        ...{ id: "listJobs", tag, needs: LOOKS, summary: "Lists an agent's jobs, and the errors in cron/jobs.toml" },
        answers: { status: 200, schema: JobList },
        errors: ["record.not-found", "brain.not-found"],
      }),
      request: { params: AgentPath },
    }),
    async (c) => answer(await schedule.list(await find(c.env.principal, c.req.valid("param").agent))),
  );

  app.openapi(
    createRoute({
      method: "post",
      path: PATH,
      ...jsonOperation(options, {
        ...{ id: "addJob", tag, needs: DECIDES, summary: "Adds a job" },
        description:
          "Requires a person, in whose name the job runs. Takes exactly one of `cron`, `every`, `once` and `when`; `understood` describes the result.",
        answers: { status: 201, schema: Job },
        errors: ["record.not-found", "brain.not-found", "job.taken", ...WRITES],
      }),
      request: { params: AgentPath, body: jsonBody(AddJob) },
    }),
    async (c) => {
      const by = await personOf(options, c.env.principal);
      return answer(
        await schedule.add(await find(c.env.principal, c.req.valid("param").agent), c.req.valid("json"), by),
        201,
      );
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: `${PATH}/{job}`,
      ...operation(options, {
        ...{ id: "getJob", tag, needs: LOOKS, summary: "Shows a job" },
        answers: { status: 200, schema: Job },
        errors: ABSENT,
      }),
      request: { params: JobPath },
    }),
    async (c) => {
      const { agent, job } = c.req.valid("param");
      return answer(await schedule.get(await find(c.env.principal, agent), job));
    },
  );

  app.openapi(
    createRoute({
      method: "patch",
      path: `${PATH}/{job}`,
      ...jsonOperation(options, {
        ...{ id: "editJob", tag, needs: DECIDES, summary: "Edits, pauses or resumes a job" },
        description:
          "Requires a person. Applies from the next slot. `paused: false` also resumes a job that halted after failures.",
        answers: { status: 200, schema: Job },
        errors: [...ABSENT, ...WRITES],
      }),
      request: { params: JobPath, body: jsonBody(PatchJob) },
    }),
    async (c) => {
      const { agent, job } = c.req.valid("param");
      const by = await personOf(options, c.env.principal);
      return answer(await schedule.edit(await find(c.env.principal, agent), job, c.req.valid("json"), by));
    },
  );

  app.openapi(
    createRoute({
      method: "delete",
      path: `${PATH}/{job}`,
      ...operation(options, {
        ...{ id: "cancelJob", tag, needs: DECIDES, summary: "Cancels a job; its slots stay" },
        description: "Requires a person. Running slots continue.",
        answers: { status: 204, text: "It is gone." },
        errors: [...ABSENT, ...WRITES],
      }),
      request: { params: JobPath },
    }),
    async (c) => {
      const { agent, job } = c.req.valid("param");
      const owner = await whose(c.env.principal, agent, job);
      await schedule.cancel(owner, job, await personOf(options, c.env.principal));
      return emptyAnswer(204);
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: `${PATH}/{job}/run`,
      ...operation(options, {
        ...{ id: "runJob", tag, needs: DECIDES, summary: "Fires a job once, outside its schedule" },
        description: "Requires a person. Also while the job is paused or halted.",
        answers: { status: 201, schema: JobSlot },
        errors: [...ABSENT, "job.invalid"],
      }),
      request: { params: JobPath },
    }),
    async (c) => {
      const { agent, job } = c.req.valid("param");
      const owner = await whose(c.env.principal, agent, job);
      await personOf(options, c.env.principal);
      return answer(await schedule.fire(owner, job), 201);
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: `${PATH}/{job}/slots`,
      ...operation(options, {
        ...{ id: "listJobSlots", tag, needs: LOOKS, summary: "Lists a job's slots with their fates, newest first" },
        description: "Every due slot has one fate. Also for a cancelled job.",
        answers: { status: 200, schema: JobSlotList },
        errors: ABSENT,
      }),
      request: { params: JobPath, query: JobSlotQuery },
    }),
    async (c) => {
      const { agent, job } = c.req.valid("param");
      return answer([...(await schedule.slots(await find(c.env.principal, agent), job, c.req.valid("query")))]);
    },
  );
};
