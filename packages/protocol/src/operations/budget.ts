/** Operations on budgets: spending on models, and the rest of each limit. */
import { BudgetReport, UsageQuery, UsageReport } from "../policy/budget.ts";
import { declareOperations } from "./operation.ts";

export const budgetOperations = declareOperations("House", {
  report: {
    id: "showBudget",
    method: "GET",
    path: "/api/budget",
    needs: "credential",
    summary: "Returns the spending on models today and this month, and the remaining budgets",
    description:
      "Covers bots whose house you may read, and yourself; the total needs `x` on the first house. Amounts are in millionths of a dollar.",
    answers: { status: 200, schema: BudgetReport },
  },
  usage: {
    id: "showUsage",
    method: "GET",
    path: "/api/usage",
    needs: "credential",
    summary: "Returns the usage of models per day, by agent, model, room or kind",
    description:
      "Covers bots whose house you may read, and yourself; costs of no agent need `x` on the first house. Rooms that you may not read are one group without a name. Amounts are in millionths of a dollar.",
    query: UsageQuery,
    answers: { status: 200, schema: UsageReport },
    errors: ["record.not-found"],
  },
});
