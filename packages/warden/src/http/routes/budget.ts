/** Spending on models, and the rest of each limit. */
import type { Principal } from "../../people/index.ts";
import { createRoute } from "@hono/zod-openapi";
import { type AgentRecord, BudgetReport, includesLevel } from "@hearth/protocol";
import { answer } from "../answer.ts";
import { type App, operation, type RouteOptions } from "./route.ts";

export const budgetRoutes = (app: App, options: RouteOptions): void => {
  const { access, budgets, records } = options;

  const mayRead = async (principal: Principal, { id, house }: AgentRecord): Promise<boolean> =>
    (id === principal.agent && principal.scope === undefined) ||
    includesLevel(await access.levelOf(principal, house), "r");

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/budget",
      ...operation(options, {
        id: "showBudget",
        tag: "House",
        needs: "credential",
        summary: "Returns the spending on models today and this month, and the remaining budgets",
        description:
          "Covers bots whose house you may read, and yourself; the total needs `x` on the first house. Amounts are in millionths of a dollar.",
        answers: { status: 200, schema: BudgetReport },
      }),
    }),
    async (c) => {
      const { principal } = c.env;
      const bots = (await records.list("agent")).filter(({ content }) => content.kind === "bot");
      const may = await Promise.all(bots.map((bot) => mayRead(principal, bot)));
      const isHome = includesLevel(await access.levelOf(principal, access.home), "x");
      return answer(
        await budgets.report(
          bots.filter((_, index) => may[index]),
          isHome ? "home" : "agents",
        ),
      );
    },
  );
};
