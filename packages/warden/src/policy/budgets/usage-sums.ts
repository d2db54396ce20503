/**
 * Sums of charged calls by day, agent, model, room and kind. A changed sum is written with the next
 * commit, like the ledger's amounts.
 */
import type { DeferringStore, Row } from "../../kernel/index.ts";
import type { AgentId, Clock, RoomId, UsageKind } from "@hearth/protocol";
import type { BookedAmount } from "./call-cost.ts";

/** The purpose of a call. */
export interface UsageKey {
  /** Empty if the cost belongs to no agent. */
  readonly agent: AgentId | "";
  /** The model that answered, as `provider/model`. */
  readonly model: string;
  /** Empty if the cost belongs to no room. */
  readonly room: RoomId | "";
  readonly kind: UsageKind;
}

/** The sums of one day. */
export interface DaySums {
  /** Adds one call. A call that cost nothing is not counted. */
  add(usageKey: UsageKey, booked: BookedAmount): void;
}

export interface UsageSums {
  /** Resolves when the sums of this day are loaded. */
  open(day: string): Promise<DaySums>;
  /** Returns the written sums of these days, including both. */
  list(from: string, to: string): Promise<readonly Row<"model_usage">[]>;
}

/** Number of days whose sums stay in memory. At most three days are current, one per time zone. */
const OPEN_DAYS = 4;

export const createUsageSums = ({ store, defer }: DeferringStore, clock: Pick<Clock, "now">): UsageSums => {
  const days = new Map<string, Promise<DaySums>>();

  const load = async (day: string): Promise<DaySums> => {
    const rows = await store.select({ table: "model_usage", where: { day } });
    const sums = new Map(rows.map((row) => [keyOf(row), row]));
    return {
      add(usageKey, booked) {
        if (booked.tokens === 0 && booked.money === 0) return;
        const key = keyOf(usageKey);
        const row = addCall(sums.get(key) ?? { ...EMPTY, ...usageKey, day, at: 0 }, booked, clock.now());
        sums.set(key, row);
        defer(`usage ${day} ${key}`, { kind: "put", table: "model_usage", row });
      },
    };
  };

  return {
    open(day) {
      const cachedSums = days.get(day);
      if (cachedSums !== undefined) return cachedSums;
      const loading = load(day).catch((error: unknown) => {
        days.delete(day);
        throw error;
      });
      days.set(day, loading);
      for (const oldDay of [...days.keys()].toSorted().slice(0, -OPEN_DAYS)) if (oldDay !== day) days.delete(oldDay);
      return loading;
    },

    list: (from, to) =>
      store.select({
        table: "model_usage",
        and: [
          { column: "day", is: ">=", value: from },
          { column: "day", is: "<=", value: to },
        ],
        order: [{ column: "day" }],
      }),
  };
};

const EMPTY = {
  calls: 0,
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  money: 0,
  estimated_tokens: 0,
  estimated_money: 0,
} as const;

const keyOf = ({ agent, model, room, kind }: UsageKey): string => JSON.stringify([agent, model, room, kind]);

const addCall = (
  row: Row<"model_usage">,
  { usage, money, tokens, isEstimated }: BookedAmount,
  at: number,
): Row<"model_usage"> => ({
  ...row,
  calls: row.calls + 1,
  input_tokens: row.input_tokens + usage.inputTokens,
  output_tokens: row.output_tokens + usage.outputTokens,
  cache_read_tokens: row.cache_read_tokens + usage.cacheReadTokens,
  cache_write_tokens: row.cache_write_tokens + usage.cacheWriteTokens,
  money: row.money + money,
  estimated_tokens: row.estimated_tokens + (isEstimated ? tokens : 0),
  estimated_money: row.estimated_money + (isEstimated ? money : 0),
  at,
});
