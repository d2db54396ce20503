/** The house as a whole: how it does, how to get in, how to end it. */
import { createRoute } from "@hono/zod-openapi";
import { Check, LoginLink, Status } from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import { type App, operation, type RouteOptions } from "./route.ts";

const Stopping = z.object({ stopping: z.literal(true) });

export const houseRoutes = (app: App, options: RouteOptions): void => {
  const tag = "House";

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/status",
      ...operation(options, {
        id: "status",
        tag,
        who: "person",
        summary: "Tells how the house does",
        answers: { status: 200, schema: Status },
      }),
    }),
    async () => answer(await options.status()),
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/doctor",
      ...operation(options, {
        id: "doctor",
        tag,
        who: "person",
        summary: "Checks everything the house needs",
        answers: { status: 200, schema: z.array(Check) },
      }),
    }),
    async () => answer(await options.doctor()),
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/login-links",
      ...operation(options, {
        id: "createLoginLink",
        tag,
        who: "person",
        summary: "Makes a link that logs a browser in as you, once",
        answers: { status: 201, schema: LoginLink },
      }),
    }),
    async (c) => answer(await options.loginLink(c.env.principal), 201),
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/stop",
      ...operation(options, {
        id: "stop",
        tag,
        who: "person",
        summary: "Ends the daemon in good order",
        answers: { status: 202, schema: Stopping },
      }),
    }),
    () => {
      options.stop();
      return answer({ stopping: true } satisfies z.infer<typeof Stopping>, 202);
    },
  );
};
