/** Grants: listing, giving and removing levels. */
import type { Principal } from "../../people/index.ts";
import { createRoute } from "@hono/zod-openapi";
import { Grant, GrantList, GrantQuery, type Place, PutGrant } from "@hearth/protocol";
import { z } from "zod";
import { answer, emptyAnswer } from "../answer.ts";
import { type App, jsonBody, jsonOperation, Name, operation, type RouteOptions } from "./route.ts";

const PLACES = [
  { type: "house", path: "/api/houses/{id}/grants/{agent}" },
  { type: "room", path: "/api/rooms/{id}/grants/{agent}" },
] as const;

export const grantRoutes = (app: App, options: RouteOptions): void => {
  const { access, permissions } = options;
  const tag = "Permissions";

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/grants",
      ...operation(options, {
        id: "listGrants",
        tag,
        needs: "credential",
        summary: "Lists who was given what",
        description: "Your own, and all on houses and rooms that you administer.",
        answers: { status: 200, schema: GrantList },
      }),
      request: { query: GrantQuery },
    }),
    async (c) => {
      const { principal } = c.env;
      const decides = new Map<Place, boolean>();
      for (const { on, level } of await access.permissions(principal)) decides.set(on, level === "x");
      const grants = await permissions.list(c.req.valid("query"));
      return answer(
        grants.filter(
          ({ agent, on }) => (agent === principal.agent && decides.has(on)) || decides.get(on) === true,
        ) satisfies z.infer<typeof GrantList>,
      );
    },
  );

  for (const { type, path } of PLACES) placeRoutes(app, options, type, path);
};

const GrantPath = z.object({ id: Name, agent: Name });

const placeRoutes = (app: App, options: RouteOptions, type: "house" | "room", path: string): void => {
  const { access, permissions, records } = options;
  const tag = "Permissions";
  const called = type === "house" ? "House" : "Room";

  /** The agent may be of a house that the caller does not see: then by id only. */
  const agentNamed = async (principal: Principal, name: string) =>
    name.startsWith("agent_") ? records.get("agent", name) : access.find(principal, "agent", name);

  app.openapi(
    createRoute({
      method: "put",
      path,
      ...jsonOperation(options, {
        id: `grant${called}`,
        tag,
        needs: `x on ${type} {id}`,
        asks: "lasting",
        summary: `Gives an agent a level on a ${type}, replacing its present one`,
        description: "You cannot grant a level above your own. A house always keeps an administrator.",
        answers: { status: 200, schema: Grant },
        errors: ["record.not-found", "grant.exceeds", "grant.last"],
      }),
      request: { params: GrantPath, body: jsonBody(PutGrant) },
    }),
    async (c) => {
      const { principal } = c.env;
      const { id, agent } = c.req.valid("param");
      const on = (await access.find(principal, type, id)).id;
      const given = { agent: (await agentNamed(principal, agent)).id, on, level: c.req.valid("json").level };
      return answer(await permissions.grant(given, principal));
    },
  );

  app.openapi(
    createRoute({
      method: "delete",
      path,
      ...operation(options, {
        id: `revoke${called}`,
        tag,
        needs: `x on ${type} {id}`,
        summary: `Removes an agent's level on a ${type}`,
        description: "Rights from the house or a list of members stay. Open streams end within a second.",
        answers: { status: 204, text: "It is gone." },
        errors: ["record.not-found", "grant.last"],
      }),
      request: { params: GrantPath },
    }),
    async (c) => {
      const { principal } = c.env;
      const { id, agent } = c.req.valid("param");
      const on = (await access.find(principal, type, id)).id;
      await permissions.revoke({ agent: (await agentNamed(principal, agent)).id, on }, principal);
      return emptyAnswer(204);
    },
  );
};
