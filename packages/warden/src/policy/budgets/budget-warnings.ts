/**
 * Warns people when a budget is being used up, once per threshold, limit and period (day, month or
 * turn).
 */
import type { Log, DurableStreams } from "../../kernel/index.ts";
import { type HouseId, WARN_AT, type World } from "@hearth/protocol";
import { type SpendLedger, TURN } from "./budget-ledger.ts";
import { periodKeyOf, type Limit, percentSpent } from "./budget-limits.ts";

/**
 * Maximum number of limits in the cache. A warning about an evicted limit is appended again, and
 * its id shows that it already exists.
 */
export const MAX_CACHED_LIMITS = 1000;

export const createWarnings = (options: {
  readonly world: Pick<World, "clock" | "ids">;
  readonly log: Log;
  readonly streams: Pick<DurableStreams, "append">;
  readonly ledger: Pick<SpendLedger, "tally">;
  /** The house whose log receives warnings about all agents together. */
  readonly home: HouseId;
}): ((limits: readonly Limit[]) => void) => {
  const { world, log, streams, ledger, home } = options;
  /** The highest threshold that this daemon has reported, by limit. The newest limits are last. */
  const warnedPercents = new Map<string, number>();

  /** Caches the threshold of a limit. Each turn adds a limit, so the oldest are evicted. */
  const cachePercent = (name: string, percent: number): void => {
    warnedPercents.delete(name);
    warnedPercents.set(name, percent);
    const [oldest] = warnedPercents.keys();
    if (warnedPercents.size > MAX_CACHED_LIMITS && oldest !== undefined) warnedPercents.delete(oldest);
  };

  const appendWarning = async (
    { kind: limitKind, agent, scope, period, span, limit }: Limit,
    percent: number,
  ): Promise<void> => {
    const { spent } = ledger.tally(scope, period === TURN ? TURN : period.key);
    // A warning about a turn names the turn's agent, even if the limit was set elsewhere.
    const owner = limitKind === "agent" || period === TURN ? agent : undefined;
    const facts = {
      per: span,
      period: period === TURN ? scope : period.key,
      percent,
      limit,
      ...(owner === undefined ? {} : { agent: owner.id }),
    };
    const house = owner?.house ?? home;
    // The id derives from limit and threshold, so a restarted daemon does not repeat the warning.
    const id = world.ids.derive("evt", "budget", scope, facts.period, String(percent), JSON.stringify(limit));
    const event = { type: "budget-warned", at: world.clock.now(), ...facts, spent: { ...spent } } as const;
    const { kind } = await streams.append({ stream: `house:${house}`, id, event });
    if (kind === "appended") log.write("warn", "a budget is being used up", { ...facts, spent: { ...spent } });
  };

  return (limits) => {
    for (const limit of limits) {
      const spent = percentSpent(limit.limit, ledger.tally(limit.scope, periodKeyOf(limit)));
      const percent = WARN_AT.findLast((threshold) => spent >= threshold);
      if (percent === undefined) continue;
      const name = `${limit.scope} ${periodKeyOf(limit)} ${JSON.stringify(limit.limit)}`;
      const previousPercent = warnedPercents.get(name) ?? 0;
      if (percent <= previousPercent) continue;
      cachePercent(name, percent);
      appendWarning(limit, percent).catch((error: unknown) => {
        // After a failure, the next call tries again.
        warnedPercents.set(name, previousPercent);
        log.write("warn", "cannot write the warning that a budget is being used up; the next call tries again", {
          error,
        });
      });
    }
  };
};
