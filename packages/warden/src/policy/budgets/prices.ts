/**
 * Computes the cost of a model call from the price in the config, in the vendor's list, or the
 * price that the house assumes for unknown models.
 */
import type { Price as PlainPrice } from "../../kernel/index.ts";
import { byPrefix, type CandidateModel, findByName, vendorModelOf } from "../../models/index.ts";
import { tokensOf, type Usage } from "@hearth/protocol";
import { priceList, type VendorPrices } from "./price-list.ts";

export interface Price extends PlainPrice {
  /** A request with more input tokens than `above` is multiplied by these factors. */
  readonly long?: { readonly above: number; readonly input: number; readonly output: number };
}

export interface PriceOptions {
  /** Prices by prefix of `provider/model`. The longest matching prefix overrides any list. */
  readonly own: ReadonlyMap<string, Price>;
  /** The price of a model that is in no list. */
  readonly unknown: Price;
}

export const FREE: Price = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** Returns the price of a model. Local models are free unless the config sets a price. */
export const priceOf = (leaf: CandidateModel, { own, unknown }: PriceOptions): Price =>
  byPrefix(leaf.name, own) ?? (leaf.location === "elsewhere" ? (listedPrice(leaf) ?? unknown) : FREE);

const listedPrice = ({ vendor, model }: CandidateModel): Price | undefined => {
  if (vendor === undefined) return undefined;
  const origin = vendorModelOf(vendor, model);
  if (origin.vendor !== vendor && model.endsWith(":free")) return FREE;
  return findListedPrice(priceList[origin.vendor], origin.model);
};

const findListedPrice = (prices: VendorPrices | undefined, model: string): Price | undefined => {
  const listedModel = findByName(prices?.models ?? [], model);
  if (listedModel === undefined) return undefined;
  const [listName, input, output, cacheRead = input, cacheWrite = input] = listedModel;
  const price = { input, output, cacheRead, cacheWrite };
  const long = prices?.long;
  if (long?.models.includes(listName) !== true) return price;
  return { ...price, long: { above: long.above, input: long.input, output: long.output } };
};

/** Returns the cost in micro-dollars, rounded up. */
export const costOf = (usage: Usage, price: Price): number => {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const { long } = price;
  const isLong = long !== undefined && tokensOf(usage) - outputTokens > long.above;
  const inputCost = inputTokens * price.input + cacheReadTokens * price.cacheRead + cacheWriteTokens * price.cacheWrite;
  return roundUp(inputCost * (isLong ? long.input : 1) + outputTokens * price.output * (isLong ? long.output : 1));
};

/** Returns an upper bound of the cost for these tokens, whichever of them are cached. */
export const costAtMost = (
  price: Price,
  inputTokens: number,
): { readonly input: number; readonly perOutput: number } => {
  const isLong = price.long !== undefined && inputTokens > price.long.above;
  const highestRate = Math.max(price.input, price.cacheRead, price.cacheWrite);
  return {
    input: inputTokens * highestRate * (isLong ? (price.long?.input ?? 1) : 1),
    perOutput: price.output * (isLong ? (price.long?.output ?? 1) : 1),
  };
};

/** Rounds up. Subtracts the floating-point error first, so that an exact sum stays. */
export const roundUp = (money: number): number => Math.max(0, Math.ceil(money - 1e-6));
