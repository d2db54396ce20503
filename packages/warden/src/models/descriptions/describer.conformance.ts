/** The conformance suite of describers. */
import { expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { drawPng } from "../pictures/memory-pictures.ts";
import type { ChargeGate } from "../resilience/charge.ts";
import { type Describer, MAX_DESCRIPTION_LENGTH, type ShownPicture } from "./describer.ts";

export const PICTURE: ShownPicture = {
  bytes: drawPng(8, 4, [1, 2, 3]),
  type: "image/png",
  width: 8,
  height: 4,
  hash: "1".repeat(64),
};

/** Creates a gate that allows every request, or refuses every request. */
export const createCountingGate = (isOpen = true): ChargeGate & { readonly admitted: string[] } => {
  const admitted: string[] = [];
  return {
    admitted,
    async admit(model) {
      admitted.push(model);
      if (!isOpen) return { error: { code: "budget.spent", message: "The budget of the day is spent." } };
      return { maxOutputTokens: 100, settle: ({ usage }) => ({ ...EMPTY, ...usage, cost: 7 }) };
    },
  };
};

const EMPTY = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

export const describerConformance = (name: string, open: () => Describer): void => {
  test(`${name}: a description is a text without white space around it, of limited length`, async () => {
    const { text, usage } = await open().describe(PICTURE, createCountingGate(), new AbortController().signal);
    expect(text).toBe(text.trim());
    expect(text.length).toBeGreaterThan(0);
    expect(text.length).toBeLessThanOrEqual(MAX_DESCRIPTION_LENGTH);
    expect(usage.inputTokens).toBeGreaterThanOrEqual(0);
  });

  test(`${name}: an aborted signal ends the call with provider.aborted`, async () => {
    const stop = new AbortController();
    stop.abort();
    const error: unknown = await open()
      .describe(PICTURE, createCountingGate(), stop.signal)
      .catch((thrown: unknown) => thrown);
    expect(isHearthError(error, "provider.aborted")).toBe(true);
  });
};
