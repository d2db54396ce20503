/**
 * Approvals: agents' requests and people's decisions. Only a person who decides in the agent's
 * house sees and decides them.
 */
import { requireLasting } from "../../people/lazy.ts";
import { createRoute } from "@hono/zod-openapi";
import {
  Approval,
  ApprovalId,
  ApprovalList,
  ApprovalQuery,
  ApprovalRuleId,
  ApprovalRuleList,
  DecideApproval,
} from "@hearth/protocol";
import { z } from "zod";
import { answer, emptyAnswer } from "../answer.ts";
import { type App, jsonBody, jsonOperation, operation, type RouteOptions } from "./route.ts";

const ApprovalPath = z.object({ id: ApprovalId });
const RulePath = z.object({ id: ApprovalRuleId });

export const approvalRoutes = (app: App, options: RouteOptions): void => {
  const { approvals } = options;
  const tag = "Approvals";

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/approvals",
      ...operation(options, {
        ...{
          id: "listApprovals",
          tag,
          needs: "credential",
          summary: "Lists your approval requests, newest first",
        },
        answers: { status: 200, schema: ApprovalList },
      }),
      request: { query: ApprovalQuery },
    }),
    async (c) => answer(await approvals.list(c.env.principal, c.req.valid("query"))),
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/approvals/{id}",
      ...operation(options, {
        ...{
          id: "showApproval",
          tag,
          needs: "credential",
          summary: "Shows exactly what would run, and why it needs approval",
        },
        answers: { status: 200, schema: Approval },
        errors: ["approval.not-found"],
      }),
      request: { params: ApprovalPath },
    }),
    async (c) => answer(await approvals.get(c.env.principal, c.req.valid("param").id)),
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/approvals/{id}",
      ...jsonOperation(options, {
        ...{ id: "decideApproval", tag, needs: "credential", summary: "Allows a call or denies it" },
        description: "Requires a person who currently has `x` on the agent's house. A decision is final.",
        answers: { status: 200, schema: Approval },
        errors: ["approval.not-found", "approval.over", "grant.exceeds"],
      }),
      request: { params: ApprovalPath, body: jsonBody(DecideApproval) },
    }),
    async (c) => {
      const { principal } = c.env;
      const decision = c.req.valid("json");
      if (decision.scope !== "once") requireLasting(principal);
      return answer(await approvals.decide(principal, c.req.valid("param").id, decision));
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/approval-rules",
      ...operation(options, {
        ...{
          id: "listApprovalRules",
          tag,
          needs: "credential",
          summary: "Lists standing approvals",
        },
        answers: { status: 200, schema: ApprovalRuleList },
      }),
    }),
    async (c) => answer(await approvals.rules(c.env.principal)),
  );

  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/approval-rules/{id}",
      ...operation(options, {
        ...{
          id: "removeApprovalRule",
          tag,
          needs: "credential",
          summary: "Revokes a rule: such calls need approval again",
        },
        answers: { status: 204 },
        errors: ["approval.not-found"],
      }),
      request: { params: RulePath },
    }),
    async (c) => {
      await approvals.removeRule(c.env.principal, c.req.valid("param").id);
      return emptyAnswer(204);
    },
  );
};
