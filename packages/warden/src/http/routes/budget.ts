/** Spending on models: the remaining part of each limit, and the usage by day. */
import type { Principal } from "../../people/index.ts";
import { type AgentRecord, includesLevel, lazy } from "@hearth/protocol";
import { budgetOperations } from "@hearth/protocol/operations";
import { type App, bind, type RouteOptions } from "./route.ts";

export const budgetRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { records } = areas.people;
  const { world } = areas.kernel;
  const { budgets, usage } = areas.policy;

  const mayRead = async (principal: Principal, { id, house }: AgentRecord): Promise<boolean> =>
    (id === principal.agent && principal.scope === undefined) ||
    includesLevel(await access.levelOf(principal, house), "r");

  const usageReports = lazy(async () => {
    const { createUsageReports } = await import("../usage.ts");
    return createUsageReports({ clock: world.clock, access, records, usage, mayRead });
  });

  bind(app, options, budgetOperations, {
    usage: async ({ principal, query }) => (await usageReports())(principal, query),

    report: async ({ principal }) => {
      const bots = (await records.list("agent")).filter(({ content }) => content.kind === "bot");
      const readable = await Promise.all(bots.map((bot) => mayRead(principal, bot)));
      const isHome = includesLevel(await access.levelOf(principal, access.home), "x");
      return budgets.report(
        bots.filter((_, index) => readable[index]),
        isHome ? "home" : "agents",
      );
    },
  });
};
