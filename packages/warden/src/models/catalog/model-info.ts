/**
 * The limits and abilities of a model: from the config, from the built-in data, or a safe
 * assumption.
 */
import type { OwnModelInfo } from "../../kernel/index.ts";
import {
  type Ability,
  DEFAULT_PICTURE_LIMITS,
  localVisionModels,
  modelData,
  type ModelRow,
  pictureLimits,
  type PictureRow,
} from "./model-data.ts";
import { byPrefix, type CandidateModel, findByName, vendorModelOf } from "../wires/candidate-models.ts";

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
  /** The longest edge of a picture in pixels. A larger picture is scaled down. */
  readonly pictureEdge: number;
  /** Maximum size of a picture in bytes. */
  readonly pictureBytes: number;
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
 * Returns the limits and abilities. `overrides` holds values of the config, by prefix of
 * `provider/model`.
 */
export const modelInfo = (candidate: CandidateModel, overrides: ReadonlyMap<string, OwnModelInfo>): ModelInfo => ({
  ...findListedInfo(candidate),
  ...byPrefix(candidate.name, overrides),
});

const findListedInfo = ({ vendor = "", model, location }: CandidateModel): ModelInfo => {
  if (location === "built-in") return toInfo(["", Infinity, UNKNOWN_OUTPUT_TOKENS]);
  if (location === "local")
    return toInfo([
      "",
      LOCAL_CONTEXT_TOKENS,
      UNKNOWN_OUTPUT_TOKENS,
      ...(isLocalVisionModel(model) ? (["image"] as const) : []),
    ]);
  const origin = vendorModelOf(vendor, model);
  const rows = modelData[origin.vendor] ?? [];
  return toInfo(findByName(rows, origin.model) ?? toAssumedRow(rows), pictureLimits[origin.vendor]);
};

/**
 * Returns the row that is assumed for a new model of a vendor: at least the context of the vendor's
 * smallest one, and the abilities that all of them have.
 */
const toAssumedRow = (rows: readonly ModelRow[]): ModelRow => [
  "",
  Math.min(...rows.map(([, context]) => context), rows.length === 0 ? UNKNOWN_CONTEXT_TOKENS : Infinity),
  UNKNOWN_OUTPUT_TOKENS,
  ...ABILITIES.filter((ability) => rows.length > 0 && rows.every((row) => row.includes(ability))),
];

const ABILITIES: readonly Ability[] = ["image", "document", "audio", "think"];

const toInfo = (
  [, context, output, ...abilities]: ModelRow,
  [pictureEdge, pictureBytes]: PictureRow = DEFAULT_PICTURE_LIMITS,
): ModelInfo => ({
  context,
  output,
  sees: abilities.includes("image"),
  hears: abilities.includes("audio"),
  documents: abilities.includes("document"),
  thinks: abilities.includes("think"),
  tools: true,
  pictureEdge,
  pictureBytes,
});

/**
 * Whether a model of a local server accepts pictures. Its name may begin with the publisher, as in
 * `qwen/qwen2.5-vl-7b`.
 */
const isLocalVisionModel = (model: string): boolean => {
  const name = model.slice(model.indexOf("/") + 1).toLowerCase();
  return localVisionModels.some((prefix) => name.startsWith(prefix));
};
