/**
 * Job webhooks as people manage them, and previews of schedules. Incoming calls are in hooks.ts.
 */
import type { Principal } from "../../people/index.ts";
import { createRoute } from "@hono/zod-openapi";
import { type AgentRecord, JobHook, JobName, JobPreview, PreviewJob } from "@hearth/protocol";
import { z } from "zod";
import { answer, emptyAnswer } from "../answer.ts";
import { botOf, personOf } from "./brain-of.ts";
import { type App, jsonBody, jsonOperation, Name, operation, type RouteOptions } from "./route.ts";

const AgentPath = z.object({ agent: Name });
const JobPath = z.object({ agent: Name, job: JobName });
const PATH = "/api/agents/{agent}/jobs";
const DECIDES = "x on agent {agent}";
const ABSENT = ["record.not-found", "brain.not-found", "job.not-found"] as const;
const WRITES = ["job.invalid", "brain.changed", "brain.too-large"] as const;
const KEYS = ["secret.locked", "secret.invalid"] as const;

export const jobHookRoutes = (app: App, options: RouteOptions): void => {
  const { schedule } = options;
  const tag = "Jobs";

  /** The agent of an existing job. */
  const whose = async (principal: Principal, name: string, job: string): Promise<AgentRecord> => {
    const agent = await botOf(options, principal, name);
    await schedule.get(agent, job);
    return agent;
  };

  app.openapi(
    createRoute({
      method: "post",
      path: `${PATH}/preview`,
      ...jsonOperation(options, {
        ...{
          id: "previewJob",
          tag,
          needs: "x on agent {agent} or self",
          summary: "Previews when a schedule would be due",
        },
        description: "Saves nothing. Takes exactly one of `cron`, `every`, `once` and `when`.",
        answers: { status: 200, schema: JobPreview },
        errors: ["record.not-found", "brain.not-found", "job.invalid"],
      }),
      request: { params: AgentPath, body: jsonBody(PreviewJob) },
    }),
    async (c) => {
      const agent = await botOf(options, c.env.principal, c.req.valid("param").agent);
      return answer(await schedule.preview(agent, c.req.valid("json")));
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: `${PATH}/{job}/hook`,
      ...operation(options, {
        ...{ id: "openJobHook", tag, needs: DECIDES, asks: "lasting", summary: "Turns a job's webhook on" },
        description: "Requires a person. Only this answer shows the key; the vault stores it.",
        answers: { status: 201, schema: JobHook },
        errors: [...ABSENT, ...WRITES, ...KEYS, "job.taken"],
      }),
      request: { params: JobPath },
    }),
    async (c) => {
      const { agent, job } = c.req.valid("param");
      const owner = await whose(c.env.principal, agent, job);
      return answer(await schedule.openHook(owner, job, await personOf(options, c.env.principal)), 201);
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: `${PATH}/{job}/hook/rotate`,
      ...operation(options, {
        ...{
          id: "rotateJobHook",
          tag,
          needs: DECIDES,
          asks: "lasting",
          summary: "Replaces the key of a job's webhook",
        },
        description: "Requires a person. The address stays; the old key stops working.",
        answers: { status: 200, schema: JobHook },
        errors: [...ABSENT, ...KEYS],
      }),
      request: { params: JobPath },
    }),
    async (c) => {
      const { agent, job } = c.req.valid("param");
      const owner = await whose(c.env.principal, agent, job);
      return answer(await schedule.rotateHook(owner, job, await personOf(options, c.env.principal)));
    },
  );

  app.openapi(
    createRoute({
      method: "delete",
      path: `${PATH}/{job}/hook`,
      ...operation(options, {
        ...{ id: "closeJobHook", tag, needs: DECIDES, summary: "Turns a job's webhook off" },
        description: "Requires a person. Its address and its key are deleted permanently.",
        answers: { status: 204, text: "It is off." },
        errors: [...ABSENT, ...WRITES],
      }),
      request: { params: JobPath },
    }),
    async (c) => {
      const { agent, job } = c.req.valid("param");
      const owner = await whose(c.env.principal, agent, job);
      await schedule.closeHook(owner, job, await personOf(options, c.env.principal));
      return emptyAnswer(204);
    },
  );
};
