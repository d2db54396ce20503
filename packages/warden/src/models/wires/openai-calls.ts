/** Gathers tool calls from the deltas of chat completions, which servers cut in more ways than the vendor does. */
import { asObject, asText, type JsonObject } from "./json.ts";
import type { RawCall } from "./reply.ts";

interface Gathered {
  readonly index: unknown;
  readonly id: string;
  name: string;
  input: string;
  /** Gemini's: holds the signature of the thought that led to the call. */
  extra: JsonObject | undefined;
}

export interface ToolCalls {
  /** One entry of `delta.tool_calls`. What the model wrote of it. */
  add(part: JsonObject): string;
  all(): readonly (RawCall & Pick<Gathered, "extra">)[];
}

export const createToolCalls = (): ToolCalls => {
  const calls: Gathered[] = [];
  return {
    add(part) {
      const id = asText(part["id"]) ?? "";
      const index = part["index"];
      const code = asObject(part["function"]) ?? {};
      const name = asText(code["name"]) ?? "";
      const input = toText(code["arguments"]);
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

/** The call that a part goes on with. Some servers number all their calls 0 and tell them apart by id; some give no number. */
const findCall = (calls: readonly Gathered[], index: unknown, id: string): Gathered | undefined => {
  if (id !== "") return calls.find((call) => call.id === id && call.index === index);
  return index === undefined ? calls.at(-1) : calls.findLast((call) => call.index === index);
};

/** Any other value where the vendor has a text: whole, then. */
const toText = (value: unknown): string =>
  asText(value) ?? (value === undefined || value === null ? "" : JSON.stringify(value));
