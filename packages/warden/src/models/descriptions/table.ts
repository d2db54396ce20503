/** The table of describers. Its keys are the kinds of `[descriptions]`. Each is loaded on first use. */
import type { DescribeKind } from "../../kernel/index.ts";
import type { DescriberFactory } from "./describer.ts";

export const describers: Readonly<Record<DescribeKind, () => Promise<DescriberFactory>>> = {
  model: async () => (await import("./model-describer.ts")).createModelDescriber,
  fake: async () => (await import("./memory-describer.ts")).createMemoryDescriber,
};
