/**
 * Collects tool calls from the deltas of chat completions, which servers split in more ways than
 * the vendor does.
 */
import { asObject, asText, type JsonObject } from "./json.ts";
import type { RawCall } from "./reply.ts";

interface PartialCall {
  readonly index: unknown;
  readonly id: string;
  name: string;
  input: string;
  /** Gemini's field with the signature of the thought that led to the call. */
  extra: JsonObject | undefined;
}

export interface ToolCalls {
  /** Adds one entry of `delta.tool_calls`. Returns the text that the model wrote in this entry. */
  add(part: JsonObject): string;
  all(): readonly (RawCall & Pick<PartialCall, "extra">)[];
}

export const createToolCalls = (): ToolCalls => {
  const calls: PartialCall[] = [];
  return {
    add(part) {
      const id = asText(part["id"]) ?? "";
      const index = part["index"];
      const functionPart = asObject(part["function"]) ?? {};
      const name = asText(functionPart["name"]) ?? "";
      const input = toText(functionPart["arguments"]);
      const extra = asObject(part["extra_content"]);
      const call = findCall(calls, index, id);
      if (call === undefined) {
        calls.push({ index, id, name, input, extra });
        return name + input;
      }
      if (call.name === "") call.name = name;
      call.input += input;
      call.extra = extra ?? call.extra;
      return input;
    },
    all: () => calls,
  };
};

/**
 * Returns the call that a part continues. Some servers number all calls 0 and distinguish them by id; some
 * send no number.
 */
const findCall = (calls: readonly PartialCall[], index: unknown, id: string): PartialCall | undefined => {
  if (id !== "") return calls.find((call) => call.id === id && call.index === index);
  return index === undefined ? calls.at(-1) : calls.findLast((call) => call.index === index);
};

/**
 * Returns the text of arguments. Some servers send an object where the vendor sends text. Such an
 * object is complete.
 */
const toText = (value: unknown): string =>
  asText(value) ?? (value === undefined || value === null ? "" : JSON.stringify(value));
