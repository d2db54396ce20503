/**
 * API keys: creating, listing, revoking. Everyone manages their own; administrators of a house,
 * those of its agents.
 */
import type { KeyRecord, Principal } from "../../people/index.ts";
import { createOversight, isLimited } from "../../people/lazy.ts";
import { createRoute } from "@hono/zod-openapi";
import { CreatedKey, CreateKey, HearthError, KeyId, KeyInfo, includesLevel } from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import { type App, jsonBody, jsonOperation, operation, type RouteOptions } from "./route.ts";

export const keyRoutes = (app: App, options: RouteOptions): void => {
  const { access, home, keys, permissions, records } = options;
  const oversight = createOversight(permissions);
  const tag = "Keys";

  /** Whether the principal manages keys of this agent. A limited key manages only itself. */
  const looksAfter = async (principal: Principal, { agent, id }: Pick<KeyRecord, "agent" | "id">): Promise<boolean> => {
    if (agent === principal.agent && (!isLimited(principal) || id === principal.key)) return true;
    const record = await records.find("agent", agent);
    // For a deleted agent, the home's administrators decide.
    if (record === undefined) return includesLevel(await permissions.levelOf(principal, home), "x");
    return oversight.decides(principal, record);
  };

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/keys",
      ...operation(options, {
        id: "listKeys",
        tag,
        needs: "credential",
        summary: "Lists your keys and those of agents that you administer, including revoked ones",
        answers: { status: 200, schema: z.array(KeyInfo) },
      }),
    }),
    async (c) => {
      const all = await keys.list();
      const mine = await Promise.all(all.map((key) => looksAfter(c.env.principal, key)));
      return answer(all.filter((_, index) => mine[index] === true) satisfies readonly z.infer<typeof KeyInfo>[]);
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/keys",
      ...jsonOperation(options, {
        id: "createKey",
        tag,
        needs: "credential",
        summary: "Creates a key and shows it once",
        description:
          "Its holder acts as `agent`, yourself by default, limited by `scope` and until `expiresAt`. A key cannot create one with more rights than itself. For another agent you need `x` on its house and all of its rights.",
        answers: { status: 201, schema: CreatedKey },
        errors: ["record.not-found", "grant.exceeds"],
      }),
      request: { body: jsonBody(CreateKey) },
    }),
    async (c) => {
      const { principal } = c.env;
      const { name, agent = principal.agent, scope, expiresAt } = c.req.valid("json");
      if (agent !== principal.agent)
        await oversight.requireAll(principal, await access.find(principal, "agent", agent));
      const created = await keys.create(
        {
          ...{ name, agent },
          ...(scope === undefined ? {} : { scope }),
          ...(expiresAt === undefined ? {} : { expiresAt }),
        },
        principal,
      );
      const { createdAt: _, ...shown } = created;
      return answer(shown satisfies z.infer<typeof CreatedKey>, 201);
    },
  );

  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/keys/{id}",
      ...operation(options, {
        id: "revokeKey",
        tag,
        needs: "credential",
        summary: "Revokes a key permanently",
        description: "Its open connections end within a second.",
        answers: { status: 200, schema: KeyInfo },
        errors: ["record.not-found"],
      }),
      request: { params: z.object({ id: KeyId }) },
    }),
    async (c) => {
      const { principal } = c.env;
      const key = await keys.get(c.req.valid("param").id);
      if (!(await looksAfter(principal, key)))
        throw new HearthError("record.not-found", `There is no key ${key.id}.`, { hint: "List them: hearth key list" });
      return answer((await keys.revoke(key.id, principal.agent)) satisfies z.infer<typeof KeyInfo>);
    },
  );
};
