/**
 * What servers of this wire add to an answer of a thinking model and want back, under the same name, with the results of its
 * calls: DeepSeek and others `reasoning_content`, OpenRouter `reasoning` and `reasoning_details`, Gemini `extra_content` on
 * a call. The house reads none of it.
 */
import type { VendorData } from "@hearth/protocol";
import { asArray, asObject, asText, type JsonObject, parseJson } from "./json.ts";

/** What stands beside `content` in a message. */
interface Thoughts {
  reasoning_content?: string;
  reasoning?: string;
  reasoning_details?: JsonObject[];
}

export interface OpenThoughts {
  readonly message: Readonly<Thoughts>;
  /** By the place of the call. */
  readonly extras: readonly (JsonObject | undefined)[];
}

const TEXT_FIELDS = ["reasoning_content", "reasoning"] as const;
/** Kinds of details that come in pieces, and where their words stand. */
const WORDS: ReadonlyMap<unknown, string> = new Map([
  ["reasoning.text", "text"],
  ["reasoning.summary", "summary"],
]);

export interface ThoughtReader {
  add(delta: JsonObject): void;
  seal(wire: string, extras: OpenThoughts["extras"]): VendorData | undefined;
}

export const createThoughtReader = (): ThoughtReader => {
  const message: Thoughts = {};
  return {
    add(delta) {
      for (const field of TEXT_FIELDS) {
        const piece = asText(delta[field]);
        // An empty one counts: some servers want the field back even so.
        if (piece !== undefined) message[field] = (message[field] ?? "") + piece;
      }
      for (const detail of toObjects(delta["reasoning_details"])) {
        const details = (message.reasoning_details ??= []);
        const last = details.at(-1);
        if (last !== undefined && goesOn(last, detail)) details[details.length - 1] = join(last, detail);
        else details.push(detail);
      }
    },
    seal(wire, extras) {
      if (Object.keys(message).length === 0 && extras.every((extra) => extra === undefined)) return undefined;
      return { wire, data: JSON.stringify({ message, extras }) };
    },
  };
};

/** What came back may be anything, as it went through a cell: only these fields pass. */
export const openThoughts = (vendor: VendorData | undefined): OpenThoughts => {
  const data = asObject(parseJson(vendor?.data ?? ""));
  const kept = asObject(data?.["message"]);
  const message: Thoughts = {};
  for (const field of TEXT_FIELDS) {
    const text = asText(kept?.[field]);
    if (text !== undefined) message[field] = text;
  }
  const details = toObjects(kept?.["reasoning_details"]);
  if (details.length > 0) message.reasoning_details = details;
  return { message, extras: asArray(data?.["extras"]).map(asObject) };
};

const toObjects = (value: unknown): JsonObject[] =>
  asArray(value)
    .map(asObject)
    .filter((item) => item !== undefined);

/** Whether a detail is the next piece of the last one. A signature ends what it signs. */
const goesOn = (last: JsonObject, detail: JsonObject): boolean => {
  const words = WORDS.get(detail["type"]);
  if (words === undefined || last["type"] !== detail["type"]) return false;
  if (!isEmpty(last["signature"]) && !isEmpty(detail[words])) return false;
  return ["index", "id"].every((name) => isEmpty(last[name]) || isEmpty(detail[name]) || last[name] === detail[name]);
};

const join = (last: JsonObject, detail: JsonObject): JsonObject => {
  const words = WORDS.get(detail["type"]) ?? "text";
  const known = Object.entries(detail).filter(([, value]) => !isEmpty(value));
  return {
    ...last,
    ...Object.fromEntries(known),
    [words]: (asText(last[words]) ?? "") + (asText(detail[words]) ?? ""),
  };
};

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === "";
