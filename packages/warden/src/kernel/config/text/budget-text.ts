/**
 * The tables `[budget]` and `[prices]`: the limits of all agents' spending on models, and the
 * prices of models.
 */
import { type AgentBudget, MICRO_DOLLARS, type SpendLimit } from "@hearth/protocol";
import { z } from "zod";

/** Dollars per million tokens, which equals micro-dollars per token. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface BudgetConfig {
  /** The limits. `day` and `month` apply to all agents together, `turn` to each turn. */
  readonly limits: AgentBudget;
  /** The prices by prefix of `provider/model`. */
  readonly prices: ReadonlyMap<string, Price>;
  /** The price of models that are in no price list. */
  readonly unknownPrice: Price;
}

const DOLLARS_ERROR = "must be a number of dollars from 0 to 1000000";
const TOKENS_ERROR = "must be a whole number of tokens";
const PER_MILLION_ERROR = "must be a number of dollars per million tokens, from 0 to 100000";
export const dollars = z.number(DOLLARS_ERROR).min(0, DOLLARS_ERROR).max(1_000_000, DOLLARS_ERROR).optional();
export const tokens = z.int(TOKENS_ERROR).min(0, TOKENS_ERROR).optional();
const perMillion = z.number(PER_MILLION_ERROR).min(0, PER_MILLION_ERROR).max(100_000, PER_MILLION_ERROR);

const PriceText = z.strictObject({
  input: perMillion,
  output: perMillion,
  cache_read: perMillion.optional(),
  cache_write: perMillion.optional(),
});

/** The default price of an unknown model, as high as that of the most expensive common models. */
const UNKNOWN_PRICE = { input: 15, output: 75 };

export const BudgetText = z.strictObject({
  turn: dollars,
  turn_tokens: tokens,
  day: dollars,
  day_tokens: tokens,
  month: dollars,
  month_tokens: tokens,
  at_limit: z
    .string()
    .max(200)
    .regex(/^(stop|ask|[^/\s]+\/\S+)$/, 'must be "stop", "ask", or a cheaper model: "provider/model"')
    .default("stop"),
  unknown_price: PriceText.default(UNKNOWN_PRICE),
});

export const PricesText = z.record(
  z.string().regex(/^[a-z][a-z0-9-]{0,63}\/\S*$/, "is neither provider/model nor a prefix of such names"),
  PriceText,
);

export const toBudget = (text: z.infer<typeof BudgetText>, prices: z.infer<typeof PricesText>): BudgetConfig => {
  const { at_limit: atLimit, unknown_price: unknownPriceText } = text;
  return {
    limits: {
      ...limitOf("turn", text.turn, text.turn_tokens),
      ...limitOf("day", text.day, text.day_tokens),
      ...limitOf("month", text.month, text.month_tokens),
      atLimit: atLimit === "stop" || atLimit === "ask" ? atLimit : { cheaper: atLimit },
    },
    prices: new Map(Object.entries(prices).map(([name, price]) => [name, toPrice(price)])),
    unknownPrice: toPrice(unknownPriceText),
  };
};

const limitOf = <Span extends string>(
  span: Span,
  maxDollars: number | undefined,
  maxTokens: number | undefined,
): { readonly [Name in Span]?: SpendLimit } => {
  const spendLimit = toLimit(maxDollars, maxTokens);
  return spendLimit === undefined ? {} : ({ [span]: spendLimit } as { readonly [Name in Span]: SpendLimit });
};

/** Returns the limit for these dollars and tokens, or undefined if neither is limited. */
export const toLimit = (maxDollars: number | undefined, maxTokens: number | undefined): SpendLimit | undefined =>
  maxDollars === undefined && maxTokens === undefined
    ? undefined
    : {
        ...(maxDollars === undefined ? {} : { money: Math.round(maxDollars * MICRO_DOLLARS) }),
        ...(maxTokens === undefined ? {} : { tokens: maxTokens }),
      };

const toPrice = ({ input, output, cache_read, cache_write }: z.infer<typeof PriceText>): Price => ({
  input,
  output,
  cacheRead: cache_read ?? input,
  cacheWrite: cache_write ?? input,
});
