/** Operations on budgets: spending on models, and the rest of each limit. */
import { BudgetReport } from "../policy/budget.ts";
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
});
