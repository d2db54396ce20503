/**
 * Prices of a picture in dollars, from the vendors' list prices, checked on 2026-11-29:
 * https://developers.openai.com/api/docs/pricing and https://ai.google.dev/gemini-api/docs/pricing.
 * Each price is that of the most expensive of our sizes in medium quality, and some cents for the
 * text and the picture from which it is made.
 */
import type { PicturesConfig } from "../../kernel/index.ts";

/** Prices by kind and beginning of the model's name. The comment has the price without text and source. */
const PER_PICTURE: Readonly<Record<string, readonly (readonly [model: string, dollars: number])[]>> = {
  openai: [
    ["gpt-image-1-mini", 0.02], // 0.015: 1024 × 1536
    ["gpt-image-1.5", 0.06], // 0.05: 1024 × 1536
    ["gpt-image-1", 0.08], // 0.063: 1024 × 1536
    ["gpt-image-2.5", 0.04], // 0.013: 439 tokens for 1024 × 1024, at $30 a million
    ["gpt-image-2", 0.08], // 0.053: 1024 × 1024, which costs more than the larger sizes
  ],
  gemini: [
    ["gemini-2.5-flash-image", 0.04], // 0.039
    ["gemini-3.1-flash-image", 0.07], // 0.067
    ["gemini-3-pro-image", 0.14], // 0.134
  ],
};

/**
 * The price that is assumed for an unknown model: as high as that of the most expensive common
 * models, like `unknown_price` of language models.
 */
const UNKNOWN_PER_PICTURE = 0.3;

export interface PicturePrice {
  readonly dollars: number;
  readonly isKnown: boolean;
}

/** Returns the price of a picture. A server without a list price costs nothing if this machine runs it. */
export const pricePerPicture = (
  { kind, baseUrl, pricePerPicture: configuredPrice }: PicturesConfig,
  model: string | undefined,
): PicturePrice => {
  if (configuredPrice !== undefined) return { dollars: configuredPrice, isKnown: true };
  if (kind === "fake" || isLocal(baseUrl)) return { dollars: 0, isKnown: true };
  const listedPrice = PER_PICTURE[kind]?.find(([beginning]) => model?.startsWith(beginning))?.[1];
  return baseUrl !== undefined || listedPrice === undefined
    ? { dollars: UNKNOWN_PER_PICTURE, isKnown: false }
    : { dollars: listedPrice, isKnown: true };
};

const isLocal = (baseUrl: string | undefined): boolean =>
  baseUrl !== undefined && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(URL.parse(baseUrl)?.hostname ?? "");
