/**
 * The ledger of spent and reserved amounts by scope and period, held in memory. Each change is
 * written with the next commit. On disk, spent and reserved are one sum, so a call without a known
 * outcome counts with its full reservation.
 */
import type { DeferringStore, Row } from "../../kernel/index.ts";
import type { Amount } from "@hearth/protocol";
import { monthOf } from "./budget-periods.ts";

export interface Tally {
  readonly spent: Amount;
  readonly reserved: Amount;
}

/**
 * The scope and the period for which an amount counts: a day of an agent or of a house (and its
 * month), or a turn.
 */
export interface Account {
  /** The id of an agent, a house or an activation. */
  readonly scope: string;
  /** A day or a month, or `turn`. */
  readonly period: string;
}

export interface LedgerReservation {
  /** Replaces the reservation by the amount spent. Only the first call has an effect. */
  settle(spent: Amount): void;
}

export interface SpendLedger {
  /** Resolves when the rows of this month have been loaded. */
  open(month: string): Promise<void>;
  /**
   * Returns the amounts of a scope in a period. `period` is a day or a month of a loaded month,
   * or `turn`.
   */
  tally(scope: string, period: string): Tally;
  reserve(accounts: readonly Account[], amount: Amount): LedgerReservation;
  /** Forgets a turn that has ended. */
  forgetTurn(turn: string): void;
  /** Returns the scopes that spent anything in this period. */
  spenders(period: string): readonly string[];
  /** Calls `listener` once, at the next settled reservation. */
  onSettled(listener: () => void): () => void;
}

interface Counts {
  tokens: number;
  money: number;
}
interface Entry {
  readonly spent: Counts;
  readonly reserved: Counts;
}

export const TURN = "turn";

export const createSpendLedger = async ({ store, defer }: DeferringStore): Promise<SpendLedger> => {
  /** Entries by period, then by scope. */
  const periods = new Map<string, Map<string, Entry>>();
  const months = new Map<string, Promise<void>>();
  const listeners = new Set<() => void>();

  const entryOf = (scope: string, period: string): Entry => {
    const scopes = periods.get(period) ?? new Map<string, Entry>();
    periods.set(period, scopes);
    const entry = scopes.get(scope) ?? { spent: { tokens: 0, money: 0 }, reserved: { tokens: 0, money: 0 } };
    scopes.set(scope, entry);
    return entry;
  };

  /** Loads a row. All amounts on disk count as spent, including reservations. */
  const loadRow = ({ scope, period, tokens, money }: Row<"spend">): void => {
    for (const { spent } of entriesOf({ scope, period })) add(spent, { tokens, money });
  };

  const entriesOf = ({ scope, period }: Account): readonly Entry[] =>
    period === TURN ? [entryOf(scope, period)] : [entryOf(scope, period), entryOf(scope, monthOf(period))];

  const deferRow = ({ scope, period }: Account): void => {
    const { spent, reserved } = entryOf(scope, period);
    const row = { scope, period, tokens: spent.tokens + reserved.tokens, money: spent.money + reserved.money };
    defer(deferKeyOf(scope, period), { kind: "put", table: "spend", row });
  };

  const readMonth = async (month: string): Promise<void> => {
    const rows = await store.select({
      table: "spend",
      and: [
        { column: "period", is: ">=", value: `${month}-01` },
        { column: "period", is: "<=", value: `${month}-31` },
      ],
    });
    for (const row of rows) loadRow(row);
  };

  const readTurns = async (): Promise<void> => {
    const rows = await store.select({ table: "spend", where: { period: TURN } });
    if (rows.length === 0) return;
    const openActivations = await store.select({ table: "activations", where: { ended_at: null } });
    const openIds = new Set<string>(openActivations.map(({ id }) => id));
    for (const row of rows) {
      if (openIds.has(row.scope)) loadRow(row);
      else deferRemoval(row.scope);
    }
  };

  const deferRemoval = (turn: string): void =>
    defer(deferKeyOf(turn, TURN), { kind: "delete", table: "spend", where: { scope: turn, period: TURN } });

  await readTurns();

  return {
    async open(month) {
      const reading =
        months.get(month) ??
        readMonth(month).catch((error: unknown) => {
          months.delete(month);
          throw error;
        });
      months.set(month, reading);
      await reading;
    },

    tally: (scope, period) => periods.get(period)?.get(scope) ?? ZERO_TALLY,

    reserve(accounts, amount) {
      const entries = accounts.flatMap(entriesOf);
      for (const { reserved } of entries) add(reserved, amount);
      for (const account of accounts) deferRow(account);
      let isOpen = true;
      return {
        settle(spent) {
          if (!isOpen) return;
          isOpen = false;
          for (const entry of entries) {
            add(entry.reserved, { tokens: -amount.tokens, money: -amount.money });
            add(entry.spent, spent);
          }
          for (const account of accounts) deferRow(account);
          const currentListeners = [...listeners];
          listeners.clear();
          for (const listener of currentListeners) listener();
        },
      };
    },

    forgetTurn(turn) {
      if (periods.get(TURN)?.delete(turn) === true) deferRemoval(turn);
    },

    spenders: (period) => [...(periods.get(period)?.keys() ?? [])],

    onSettled(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};

const ZERO_TALLY: Tally = { spent: { tokens: 0, money: 0 }, reserved: { tokens: 0, money: 0 } };

const add = (counts: Counts, { tokens, money }: Amount): void => {
  counts.tokens += tokens;
  counts.money += money;
};

const deferKeyOf = (scope: string, period: string): string => `spend ${scope} ${period}`;
