/**
 * Fields that servers of this wire add to an answer of a thinking model and require back with the
 * results of its calls: DeepSeek and others `reasoning_content`, OpenRouter `reasoning` and
 * `reasoning_details`, Gemini `extra_content` on a call or on the message, Mistral chunks of
 * thought inside `content`. The house does not read them.
 */
import type { VendorData } from "@hearth/protocol";
import { asArray, asObject, asText, type JsonObject, parseJson } from "./json.ts";

/** Fields beside `content` in a message. */
interface ReasoningFields {
  reasoning_content?: string;
  reasoning?: string;
  reasoning_details?: JsonObject[];
  extra_content?: JsonObject;
}

export interface Reasoning {
  readonly message: Readonly<ReasoningFields>;
  /** Thoughts in `content` before the text. */
  readonly thinking?: string;
  /** By the index of the call. */
  readonly extras: readonly (JsonObject | undefined)[];
}

const TEXT_FIELDS = ["reasoning_content", "reasoning"] as const;
/** Kinds of details that arrive in pieces, and their text fields. */
const DETAIL_TEXT_FIELDS: ReadonlyMap<unknown, string> = new Map([
  ["reasoning.text", "text"],
  ["reasoning.summary", "summary"],
]);

export interface ReasoningReader {
  /** Returns the thought's text in this delta, once even if the server sends it in two fields. */
  add(delta: JsonObject): string;
  seal(wire: string, extras: Reasoning["extras"]): VendorData | undefined;
}

export const createReasoningReader = (): ReasoningReader => {
  const message: ReasoningFields = {};
  let thinking: string | undefined;
  return {
    add(delta) {
      const thoughts = { chunks: "", reasoning_content: "", reasoning: "", details: "" };
      for (const chunk of chunksOf(delta["content"], "thinking")) {
        const pieces = chunksOf(chunk["thinking"], "text").map((piece) => asText(piece["text"]) ?? "");
        thoughts.chunks += pieces.join("");
        thinking = (thinking ?? "") + pieces.join("");
      }
      const extra = asObject(delta["extra_content"]);
      if (extra !== undefined) message.extra_content = extra;
      for (const field of TEXT_FIELDS) {
        const piece = asText(delta[field]);
        // An empty field counts: some servers require it back.
        if (piece === undefined) continue;
        thoughts[field] = piece;
        message[field] = (message[field] ?? "") + piece;
      }
      for (const detail of toObjects(delta["reasoning_details"])) {
        const details = (message.reasoning_details ??= []);
        const lastDetail = details.at(-1);
        if (lastDetail !== undefined && continuesDetail(lastDetail, detail))
          details[details.length - 1] = mergeDetails(lastDetail, detail);
        else details.push(detail);
        thoughts.details += asText(detail[DETAIL_TEXT_FIELDS.get(detail["type"]) ?? ""]) ?? "";
      }
      return Object.values(thoughts).find((words) => words !== "") ?? "";
    },
    seal(wire, extras) {
      const hasNoFields = thinking === undefined && Object.keys(message).length === 0;
      if (hasNoFields && extras.every((extra) => extra === undefined)) return undefined;
      return { wire, data: JSON.stringify({ message, extras, thinking }) };
    },
  };
};

/**
 * Reads reasoning from vendor data, which has passed through a cell and is untrusted, so only these
 * fields are kept.
 */
export const readReasoning = (vendor: VendorData | undefined): Reasoning => {
  if (vendor === undefined) return NO_REASONING;
  const data = asObject(parseJson(vendor.data));
  const vendorMessage = asObject(data?.["message"]);
  const message: ReasoningFields = {};
  for (const field of TEXT_FIELDS) {
    const text = asText(vendorMessage?.[field]);
    if (text !== undefined) message[field] = text;
  }
  const details = toObjects(vendorMessage?.["reasoning_details"]);
  if (details.length > 0) message.reasoning_details = details;
  const extra = asObject(vendorMessage?.["extra_content"]);
  if (extra !== undefined) message.extra_content = extra;
  const thinking = asText(data?.["thinking"]);
  return {
    message,
    extras: asArray(data?.["extras"]).map(asObject),
    ...(thinking === undefined ? {} : { thinking }),
  };
};

const NO_REASONING: Reasoning = { message: {}, extras: [] };

/** Returns the text of a delta's or a message's `content`, which is a text or a list of chunks. */
export const textOf = (content: unknown): string =>
  asText(content) ??
  chunksOf(content, "text")
    .map((chunk) => asText(chunk["text"]) ?? "")
    .join("");

const chunksOf = (content: unknown, type: string): readonly JsonObject[] =>
  toObjects(content).filter((chunk) => chunk["type"] === type);

const toObjects = (value: unknown): JsonObject[] =>
  asArray(value)
    .map(asObject)
    .filter((item) => item !== undefined);

/** Whether a detail continues the last one. A signature ends the text that it signs. */
const continuesDetail = (lastDetail: JsonObject, detail: JsonObject): boolean => {
  const textField = DETAIL_TEXT_FIELDS.get(detail["type"]);
  if (textField === undefined || lastDetail["type"] !== detail["type"]) return false;
  if (!isEmpty(lastDetail["signature"]) && !isEmpty(detail[textField])) return false;
  return ["index", "id"].every(
    (name) => isEmpty(lastDetail[name]) || isEmpty(detail[name]) || lastDetail[name] === detail[name],
  );
};

const mergeDetails = (lastDetail: JsonObject, detail: JsonObject): JsonObject => {
  const textField = DETAIL_TEXT_FIELDS.get(detail["type"]) ?? "text";
  const nonEmpty = Object.entries(detail).filter(([, value]) => !isEmpty(value));
  return {
    ...lastDetail,
    ...Object.fromEntries(nonEmpty),
    [textField]: (asText(lastDetail[textField]) ?? "") + (asText(detail[textField]) ?? ""),
  };
};

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === "";
