/** The wake-ups of bots: looking at them and stopping one. */
import { createRoute } from "@hono/zod-openapi";
import { Activation, ActivationDetail, ActivationId, ActivationQuery, Step } from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import type { StepRow } from "../../activations/activations.ts";
import { type App, Name, operation, type RouteOptions } from "./route.ts";

const ActivationPath = z.object({ id: ActivationId });

export const activationRoutes = (app: App, options: RouteOptions): void => {
  const { activations, records, access } = options;
  const tag = "Activations";

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/agents/{agent}/activations",
      ...operation(options, {
        id: "listActivations",
        tag,
        who: "agent",
        summary: "Lists an agent's activations, newest first",
        answers: { status: 200, schema: z.array(Activation) },
        errors: ["record.not-found"],
      }),
      request: { params: z.object({ agent: Name }), query: ActivationQuery },
    }),
    async (c) => {
      const { id: agent } = await records.get("agent", c.req.valid("param").agent);
      if (agent !== c.env.principal.agent) await access.requirePerson(c.env.principal);
      return answer(await activations.list({ ...c.req.valid("query"), agent }));
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/activations/{id}",
      ...operation(options, {
        id: "showActivation",
        tag,
        who: "agent",
        summary: "Shows an activation and its calls",
        answers: { status: 200, schema: ActivationDetail },
        errors: ["activation.not-found"],
      }),
      request: { params: ActivationPath },
    }),
    async (c) => {
      const activation = await activations.get(c.req.valid("param").id);
      await access.requireActivation(c.env.principal, activation);
      return answer({ ...activation, steps: (await activations.steps(activation.id)).map(toStep) });
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/activations/{id}/stop",
      ...operation(options, {
        id: "stopActivation",
        tag,
        who: "agent",
        summary: "Stops an activation",
        description: "Nothing of it runs when this answers. One that is over stays as it is.",
        answers: { status: 200, schema: Activation },
        errors: ["activation.not-found"],
      }),
      request: { params: ActivationPath },
    }),
    async (c) => {
      const activation = await activations.get(c.req.valid("param").id);
      await access.requireActivation(c.env.principal, activation);
      return answer(await activations.stop(activation.id));
    },
  );
};

const toStep = (row: StepRow): z.infer<typeof Step> =>
  Step.parse({
    activation: row.activation,
    step: row.step,
    kind: row.kind,
    name: row.name,
    state: row.state,
    startedAt: row.started_at,
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
  });
