/** The house as a whole: identity, status, login links, shutdown. */
import { createRoute } from "@hono/zod-openapi";
import { Check, HouseId, LoginLink, Me, SecurityReport, Status } from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import { type App, bareOperation, operation, type RouteOptions } from "./route.ts";

const Stopping = z.object({ stopping: z.literal(true) });

export const houseRoutes = (app: App, options: RouteOptions): void => {
  const { access, records } = options;
  const tag = "House";

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/me",
      ...operation(options, {
        id: "me",
        tag,
        needs: "credential",
        summary: "Returns who and where you are",
        answers: { status: 200, schema: Me },
      }),
    }),
    async (c) => {
      const agent = await access.self(c.env.principal);
      const house = await records.get("house", agent.house);
      const permissions = [...(await access.permissions(c.env.principal))];
      const home = permissions.some(({ on }) => on === access.home) ? { home: access.home } : {};
      const onHold = options.restore.isHeld() ? { onHold: true as const } : {};
      return answer({ agent, house, version: options.version, permissions, ...home, ...onHold } satisfies z.infer<
        typeof Me
      >);
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/status",
      ...operation(options, {
        id: "status",
        tag,
        needs: "x on home",
        summary: "Returns the status of the house",
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
        needs: "x on home",
        summary: "Checks everything the house needs",
        description: "With `deep`, also checks every page of the database, every referenced blob, and the audit log.",
        answers: { status: 200, schema: z.array(Check) },
      }),
      request: { query: z.object({ deep: z.enum(["true", "false"]).optional() }) },
    }),
    async (c) => answer(await options.doctor({ deep: c.req.valid("query").deep === "true" })),
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/security",
      ...operation(options, {
        id: "security",
        tag,
        needs: "x on home",
        summary: "Reports settings that are more open than necessary, with instructions",
        description: "Examines records, keys, grants, the config, files of the home and every row of the audit log.",
        answers: { status: 200, schema: SecurityReport },
      }),
    }),
    async (c) => {
      // Administrators of the home decide in other houses only with a grant there.
      const decided = (await access.permissions(c.env.principal)).filter(({ level }) => level === "x");
      const houses = decided.flatMap(({ on }) => HouseId.safeParse(on).data ?? []);
      return answer((await options.security(new Set(houses))) satisfies z.infer<typeof SecurityReport>);
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/login-links",
      ...bareOperation(options, {
        id: "createLoginLink",
        tag,
        needs: "x on home",
        asks: "whole",
        summary: "Creates a one-time link that logs a browser in as you",
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
        needs: "x on home",
        summary: "Shuts the daemon down in an orderly way",
        answers: { status: 202, schema: Stopping },
      }),
    }),
    (c) => {
      options.stop(c.env.principal.agent);
      return answer({ stopping: true } satisfies z.infer<typeof Stopping>, 202);
    },
  );
};
