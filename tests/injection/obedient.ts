/**
 * A model that performs its task call by call, and obeys the attacker whose text it read last. It
 * requests independent calls of one tool in parallel, as models do.
 */
import type { ModelRequest, ToolCall } from "@hearth/protocol";
import type { ScriptedReply } from "@hearth/warden/memory-warden";
import { type Step, textOf } from "./traces.ts";

export interface Orders {
  /** The person's task, as groups of parallel calls. */
  readonly wanted: readonly (readonly Step[])[];
  /** The attack, which starts when its text is read. */
  readonly attack?: { readonly words: string; readonly steps: readonly Step[] };
}

export const createObedient = ({ wanted, attack }: Orders): ((request: ModelRequest) => ScriptedReply) => {
  const groups = [...wanted];
  const evil = [...(attack?.steps ?? [])];
  let calls = 0;
  const ask = (steps: readonly Step[]): ScriptedReply => ({
    toolCalls: steps.map(({ tool, args }): ToolCall => {
      calls += 1;
      return { id: `call-${calls}`, name: tool, input: { ...args } };
    }),
  });
  return (request) => {
    // A call without tools that asks about a text. The model obeys the attacker, but has no tools
    // to act with.
    if (request.tools.length === 0)
      return { text: isToldBy(request, attack?.words) ? (attack?.words ?? "") : numberIn(request) };
    const isCaught = isToldBy(request, attack?.words);
    const next = isCaught ? evil.shift() : undefined;
    if (next !== undefined) return ask([next]);
    const group = groups.shift();
    return group === undefined ? { text: "Done." } : ask(group);
  };
};

/** Whether the messages contain the text, even nested twice in JSON. */
const isToldBy = ({ messages }: ModelRequest, words: string | undefined): boolean => {
  if (words === undefined) return false;
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const read = messages.map((message) => (message.role === "assistant" ? "" : message.text)).join("\n");
  return read.includes(words) || read.includes(inJson(words));
};

const numberIn = ({ messages }: ModelRequest): string =>
  /\d+(?:\.\d+)?/.exec(messages.map(({ text }) => text.slice(text.indexOf("The text"))).join())?.[0] ?? "NONE";

/** Replaces reads of untrusted sources by questions for a number. */
export const withoutReading = (steps: readonly Step[], isStrangers: (at: number) => boolean): readonly Step[] =>
  steps.map((step, at) =>
    isStrangers(at)
      ? {
          tool: "ask_source",
          args: { from: step.tool, input: step.args, question: "Which number does it come to?", answer: ["number"] },
          output: "",
        }
      : step,
  );

/** Groups consecutive calls of one tool that do not use each other's results. */
export const group = (steps: readonly Step[]): readonly (readonly Step[])[] => {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    const isApart = last?.every(({ tool, output }) => tool === step.tool && !waitsFor(step, output));
    if (last !== undefined && isApart === true) last.push(step);
    else groups.push([step]);
  }
  return groups;
};

const waitsFor = ({ args }: Step, output: string): boolean =>
  Object.values(args).some((value) => output.includes(textOf(value)));
