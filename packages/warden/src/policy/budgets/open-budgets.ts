/**
 * Creates the budgets of a home with their parts: the ledger, the warnings and the budget stage.
 */
import type { BudgetConfig, Log, DeferringStore, DurableStreams } from "../../kernel/index.ts";
import type { Records } from "../../people/index.ts";
import type { Catalog } from "../../models/index.ts";
import { lazy, type HouseId, type World } from "@hearth/protocol";
import { createSpendLedger } from "./budget-ledger.ts";
import { createBudgetStage } from "./budget-stage.ts";
import { createWarnings } from "./budget-warnings.ts";
import { type Budgets, createBudgets } from "./house-budgets.ts";
import type { Stage } from "../effect.ts";
import type { AdmitAgentCost } from "./agent-spending.ts";
import type { AdmitHome, AdmitHomeCost, OpenHomeGate } from "./home-spending.ts";
import { createPay, type Pay } from "./paid-provider.ts";
import type { UsageSums } from "./usage-sums.ts";

export const openBudgets = async (options: {
  readonly world: Pick<World, "clock" | "ids">;
  readonly log: Log;
  readonly deferring: DeferringStore;
  readonly streams: Pick<DurableStreams, "append">;
  readonly records: Pick<Records, "get" | "find">;
  readonly home: HouseId;
  readonly config: () => BudgetConfig;
  readonly providers: Pick<Catalog, "candidates" | "resolve">;
}): Promise<{
  readonly budgets: Budgets;
  readonly stage: Stage;
  readonly pay: Pay;
  readonly admitHome: AdmitHome;
  readonly admitHomeCost: AdmitHomeCost;
  readonly openHomeGate: OpenHomeGate;
  readonly admitAgentCost: AdmitAgentCost;
  readonly usage: Pick<UsageSums, "list">;
}> => {
  const { world, records, home, config, providers, deferring } = options;
  const ledger = await createSpendLedger(deferring);
  const sums = lazy(async () => (await import("./usage-sums.ts")).createUsageSums(deferring, world.clock));
  const commonOptions = {
    clock: world.clock,
    records,
    home,
    config,
    ledger,
    openUsage: async (day: string) => (await sums()).open(day),
    flush: deferring.flush,
    onCharged: createWarnings({ ...options, ledger }),
  };
  const budgets = createBudgets({ ...commonOptions, leaves: providers.candidates });
  const { store } = deferring;
  // Loaded lazily: most houses compute no embeddings.
  const spending = lazy(async () =>
    (await import("./home-spending.ts")).createHomeSpending({ ...commonOptions, leaves: providers.candidates }),
  );
  const agentSpending = lazy(async () =>
    (await import("./agent-spending.ts")).createAgentSpending({ ...commonOptions, store }),
  );
  return {
    budgets,
    usage: { list: async (from, to) => (await sums()).list(from, to) },
    admitHome: async (call) => (await spending()).admit(call),
    admitHomeCost: async (cost) => (await spending()).admitCost(cost),
    openHomeGate: (call) => ({
      admit: async (model, signal) => (await spending()).openGate(call).admit(model, signal),
    }),
    admitAgentCost: async (cost) => (await agentSpending())(cost),
    stage: createBudgetStage({ budgets, records, store }),
    pay: createPay({ budgets, records, store, resolve: providers.resolve }),
  };
};
