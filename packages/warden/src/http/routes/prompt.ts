/** The brain's parts of an agent's prompt. */
import { createRoute } from "@hono/zod-openapi";
import { PromptQuery, PromptReport } from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import { type App, Name, operation, type RouteOptions } from "./route.ts";

export const promptRoutes = (app: App, options: RouteOptions): void => {
  const { access, prompt } = options;
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/agents/{agent}/prompt",
      ...operation(options, {
        id: "showPrompt",
        tag: "Agents",
        needs: "x on agent {agent} or self",
        summary: "Shows the brain's parts of an agent's prompt, as they are now",
        description:
          "In the order in which the model reads them; with `room`, as for a turn there. Tokens are estimated as a fourth of the UTF-8 bytes.",
        answers: { status: 200, schema: PromptReport },
        errors: ["record.not-found"],
      }),
      request: { params: z.object({ agent: Name }), query: PromptQuery },
    }),
    async (c) => {
      const { principal } = c.env;
      const agent = await access.findBot(principal, c.req.valid("param").agent);
      const { room } = c.req.valid("query");
      return answer(await prompt(agent, room === undefined ? undefined : await access.find(principal, "room", room)));
    },
  );
};
