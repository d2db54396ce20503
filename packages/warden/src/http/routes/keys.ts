/** API keys: made, listed, revoked. */
import { createRoute } from "@hono/zod-openapi";
import { CreatedKey, CreateKey, KeyId, KeyInfo } from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import type { KeyRecord } from "../../identity/keys.ts";
import { type App, jsonBody, jsonOperation, operation, type RouteOptions } from "./route.ts";

export const keyRoutes = (app: App, options: RouteOptions): void => {
  const { keys } = options;
  const tag = "Keys";

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/keys",
      ...operation(options, {
        id: "listKeys",
        tag,
        who: "person",
        summary: "Lists the keys, revoked ones too",
        answers: { status: 200, schema: z.array(KeyInfo) },
      }),
    }),
    async () => answer((await keys.list()).map(toInfo)),
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/keys",
      ...jsonOperation(options, {
        id: "createKey",
        tag,
        who: "person",
        summary: "Makes a key and shows it once",
        description: "Whoever holds it acts as `agent`, yourself by default.",
        answers: { status: 201, schema: CreatedKey },
        errors: ["record.not-found"],
      }),
      request: { body: jsonBody(CreateKey) },
    }),
    async (c) => {
      const { name, agent } = c.req.valid("json");
      const self = c.env.principal.agent;
      const created = await keys.create(name, agent ?? self, self);
      return answer(
        { key: created.key, id: created.id, name: created.name, agent: created.agent } satisfies z.infer<
          typeof CreatedKey
        >,
        201,
      );
    },
  );

  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/keys/{id}",
      ...operation(options, {
        id: "revokeKey",
        tag,
        who: "person",
        summary: "Revokes a key for good",
        answers: { status: 200, schema: KeyInfo },
        errors: ["record.not-found"],
      }),
      request: { params: z.object({ id: KeyId }) },
    }),
    async (c) => answer(toInfo(await keys.revoke(c.req.valid("param").id, c.env.principal.agent))),
  );
};

const toInfo = ({ id, name, agent, createdAt, revokedAt }: KeyRecord): z.infer<typeof KeyInfo> => ({
  id,
  name,
  agent,
  createdAt,
  ...(revokedAt === undefined ? {} : { revokedAt }),
});
