/** Passwords: their status, and setting one. Setting one ends all other sessions of its person. */
import { createOversight, requireWhole } from "../../people/lazy.ts";
import type { Principal } from "../../people/index.ts";
import { createRoute } from "@hono/zod-openapi";
import { type AgentRecord, HearthError, PasswordState, SessionsEnded, SetPassword } from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import type { Caller } from "../http.ts";
import { createProof } from "../proof.ts";
import { type App, jsonBody, jsonOperation, Name, operation, type RouteOptions } from "./route.ts";

export const passwordRoutes = (app: App, options: RouteOptions): void => {
  const { access, logins, passwords, permissions } = options;
  const oversight = createOversight(permissions);
  const proof = createProof(logins);
  const tag = "Login";
  const path = "/api/agents/{agent}/password";
  const params = z.object({ agent: Name });

  const needsCurrent = async (principal: Principal, agent: AgentRecord): Promise<boolean> =>
    agent.id === principal.agent && !proof.isFresh(principal) && (await passwords.has(agent.id));

  const requireCurrent = async ({ principal, peer }: Caller, current: string | undefined): Promise<void> => {
    const attempt = { person: principal.agent, password: current ?? "", peer };
    if (current !== undefined && (await passwords.check(attempt)) !== undefined) return;
    throw new HearthError(
      "auth.password",
      current === undefined ? "Enter your current password." : "The current password is wrong.",
      { hint: "If you do not know it, log in by a link: `hearth login` prints one." },
    );
  };

  app.openapi(
    createRoute({
      method: "get",
      path,
      ...operation(options, {
        id: "showPassword",
        tag,
        needs: "x on agent {agent} or self",
        summary: "Returns whether a person has a password, and what changing it requires",
        answers: { status: 200, schema: PasswordState },
        errors: ["record.not-found"],
      }),
      request: { params },
    }),
    async (c) => {
      const { principal } = c.env;
      const agent = await access.find(principal, "agent", c.req.valid("param").agent);
      return answer({
        isSet: await passwords.has(agent.id),
        needsCurrent: await needsCurrent(principal, agent),
      } satisfies z.infer<typeof PasswordState>);
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path,
      ...jsonOperation(options, {
        id: "setPassword",
        tag,
        needs: "x on agent {agent} or self",
        summary: "Sets a person's password, and ends all of their other sessions",
        description:
          "Your own requires `current`, if there is one, unless you logged in by a link in the last 15 minutes. Another person's requires all of their rights.",
        answers: { status: 200, schema: SessionsEnded },
        errors: ["record.not-found", "auth.password", "auth.limited", "grant.exceeds"],
      }),
      request: { params, body: jsonBody(SetPassword) },
    }),
    async (c) => {
      const { principal } = c.env;
      requireWhole(principal);
      const agent = await access.find(principal, "agent", c.req.valid("param").agent);
      const { password, current } = c.req.valid("json");
      if (agent.id !== principal.agent) await oversight.requireAll(principal, agent);
      else if (await needsCurrent(principal, agent)) await requireCurrent(c.env, current);
      const count = await passwords.set(agent.id, password, principal.session);
      return answer({ ended: count } satisfies z.infer<typeof SessionsEnded>);
    },
  );
};
