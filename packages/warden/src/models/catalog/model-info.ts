/** The limits and abilities of a model: from the config, from the data, or a safe assumption. */
import type { OwnModelInfo } from "../../kernel/index.ts";
import { type Ability, localModelsThatSee, modelData, type ModelRow } from "./model-data.ts";
import { byBeginning, type CandidateModel, findByName, vendorsModel } from "../wires/candidate-models.ts";

export interface ModelInfo {
  /** Tokens of a request and its answer. */
  readonly context: number;
  /** Longest answer in tokens. */
  readonly output: number;
  /** Takes pictures. */
  readonly sees: boolean;
  /** Takes audio. */
  readonly hears: boolean;
  /** Takes PDF files. */
  readonly documents: boolean;
  /** Reasons before it answers. */
  readonly thinks: boolean;
  /** Calls tools. */
  readonly tools: boolean;
}

/** For models of vendors that the data does not have. */
const ELSEWHERE = 128_000;
/** Local servers often have a small context, and silently drop the rest. */
const LOCAL = 32_768;
/** An unknown model may write long answers; a vendor that does not allow it says so. */
const LONG_OUTPUT = 65_536;

/** `own`: values of the config, by prefix of `provider/model`. */
export const modelInfo = (leaf: CandidateModel, own: ReadonlyMap<string, OwnModelInfo>): ModelInfo => ({
  ...listedInfo(leaf),
  ...byBeginning(leaf.name, own),
});

const listedInfo = ({ vendor = "", model, runs }: CandidateModel): ModelInfo => {
  if (runs === "built-in") return toInfo(["", Infinity, LONG_OUTPUT]);
  if (runs === "local") return toInfo(["", LOCAL, LONG_OUTPUT, ...(seesLocally(model) ? (["image"] as const) : [])]);
  const origin = vendorsModel(vendor, model);
  const rows = modelData[origin.vendor] ?? [];
  return toInfo(findByName(rows, origin.model) ?? unknownOf(rows));
};

/** A new model of a vendor has at least the context of its smallest one. Nothing else is assumed. */
const unknownOf = (rows: readonly ModelRow[]): ModelRow => [
  "",
  Math.min(...rows.map(([, context]) => context), rows.length === 0 ? ELSEWHERE : Infinity),
  LONG_OUTPUT,
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
