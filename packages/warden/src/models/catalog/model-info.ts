/**
 * The limits and abilities of a model: from the config, from the built-in data, or a safe
 * assumption.
 */
import type { OwnModelInfo } from "../../kernel/index.ts";
import { type Ability, localModelsThatSee, modelData, type ModelRow } from "./model-data.ts";
import { byBeginning, type CandidateModel, findByName, vendorModelOf } from "../wires/candidate-models.ts";

export interface ModelInfo {
  /** Maximum number of tokens of a request and its answer together. */
  readonly context: number;
  /** Maximum number of tokens of an answer. */
  readonly output: number;
  /** Whether it accepts pictures. */
  readonly sees: boolean;
  /** Whether it accepts audio. */
  readonly hears: boolean;
  /** Whether it accepts PDF files. */
  readonly documents: boolean;
  /** Whether it reasons before it answers. */
  readonly thinks: boolean;
  /** Whether it calls tools. */
  readonly tools: boolean;
}

/** Assumed context in tokens of a vendor's model that the data does not have. */
const UNKNOWN_CONTEXT_TOKENS = 128_000;
/**
 * Assumed context in tokens of a local model. Local servers often have a small context, and drop
 * the rest without an error.
 */
const LOCAL_CONTEXT_TOKENS = 32_768;
/**
 * Assumed maximum answer in tokens of an unknown model. A vendor that does not allow it reports an
 * error.
 */
const UNKNOWN_OUTPUT_TOKENS = 65_536;

/**
 * Returns the limits and abilities. `own` holds values of the config, by prefix of
 * `provider/model`.
 */
export const modelInfo = (leaf: CandidateModel, own: ReadonlyMap<string, OwnModelInfo>): ModelInfo => ({
  ...listedInfo(leaf),
  ...byBeginning(leaf.name, own),
});

const listedInfo = ({ vendor = "", model, runs }: CandidateModel): ModelInfo => {
  if (runs === "built-in") return toInfo(["", Infinity, UNKNOWN_OUTPUT_TOKENS]);
  if (runs === "local")
    return toInfo([
      "",
      LOCAL_CONTEXT_TOKENS,
      UNKNOWN_OUTPUT_TOKENS,
      ...(seesLocally(model) ? (["image"] as const) : []),
    ]);
  const origin = vendorModelOf(vendor, model);
  const rows = modelData[origin.vendor] ?? [];
  return toInfo(findByName(rows, origin.model) ?? unknownOf(rows));
};

/**
 * A new model of a vendor has at least the context of the vendor's smallest one. No other ability
 * is assumed.
 */
const unknownOf = (rows: readonly ModelRow[]): ModelRow => [
  "",
  Math.min(...rows.map(([, context]) => context), rows.length === 0 ? UNKNOWN_CONTEXT_TOKENS : Infinity),
  UNKNOWN_OUTPUT_TOKENS,
  ...ABILITIES.filter((ability) => rows.length > 0 && rows.every((row) => row.includes(ability))),
];

const ABILITIES: readonly Ability[] = ["image", "document", "audio", "think"];

const toInfo = ([, context, output, ...abilities]: ModelRow): ModelInfo => ({
  context,
  output,
  sees: abilities.includes("image"),
  hears: abilities.includes("audio"),
  documents: abilities.includes("document"),
  thinks: abilities.includes("think"),
  tools: true,
});

/** Names of local servers may begin with the publisher, as in `qwen/qwen2.5-vl-7b`. */
const seesLocally = (model: string): boolean => {
  const name = model.slice(model.indexOf("/") + 1).toLowerCase();
  return localModelsThatSee.some((beginning) => name.startsWith(beginning));
};
