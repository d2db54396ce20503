/** STOP and resume: one agent, or all of them. */
import { createRoute } from "@hono/zod-openapi";
import { type AgentId, Hold, HoldList, type HoldScope, Resumed } from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import type { Env } from "../env.ts";
import { type App, bareOperation, Name, operation, type RouteOptions } from "./route.ts";

const AgentPath = z.object({ agent: Name });
const STOPS =
  "Everything has stopped when this answers, and nothing begins until it is resumed. Messages are kept and wait.";

export const stopRoutes = (app: App, options: RouteOptions): void => {
  const { stops, records, access } = options;
  const tag = "Activations";

  const agentNamed = async ({ principal }: Env["Bindings"], name: string): Promise<AgentId> =>
    (await access.find(principal, "agent", name)).id;
  const stop = ({ principal }: Env["Bindings"], scope: HoldScope): Promise<Hold> => stops.stop(scope, principal.agent);
  const resume = async ({ principal }: Env["Bindings"], scope: HoldScope): Promise<Resumed> => ({
    resumed: await stops.resume(scope, principal.agent),
  });

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/stops",
      ...operation(options, {
        ...{ id: "listStops", tag, needs: "credential", summary: "Lists the stopped agents" },
        answers: { status: 200, schema: HoldList },
      }),
    }),
    async (c) => {
      const { principal } = c.env;
      const agents = await access.seen(principal, await records.list("agent"));
      return answer(stops.list().filter(({ scope }) => scope === "house" || agents.some(({ id }) => id === scope)));
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/agents/{agent}/stop",
      ...operation(options, {
        ...{ id: "stopAgent", tag, needs: "x on agent {agent}", summary: "Stops an agent", description: STOPS },
        answers: { status: 200, schema: Hold },
        errors: ["record.not-found"],
      }),
      request: { params: AgentPath },
    }),
    async (c) => answer(await stop(c.env, await agentNamed(c.env, c.req.valid("param").agent))),
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/agents/{agent}/resume",
      ...operation(options, {
        ...{ id: "resumeAgent", tag, needs: "x on agent {agent}", summary: "Resumes a stopped agent" },
        answers: { status: 200, schema: Resumed },
        errors: ["record.not-found"],
      }),
      request: { params: AgentPath },
    }),
    async (c) => answer(await resume(c.env, await agentNamed(c.env, c.req.valid("param").agent))),
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/stop-all",
      ...operation(options, {
        ...{ id: "stopAll", tag, needs: "x on home", summary: "Stops every agent", description: STOPS },
        answers: { status: 200, schema: Hold },
      }),
    }),
    async (c) => answer(await stop(c.env, "house")),
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/resume-all",
      ...bareOperation(options, {
        ...{
          id: "resumeAll",
          tag,
          needs: "x on home",
          summary: "Ends a stop of all agents; agents stopped individually stay stopped",
        },
        answers: { status: 200, schema: Resumed },
      }),
    }),
    async (c) => answer(await resume(c.env, "house")),
  );
};
