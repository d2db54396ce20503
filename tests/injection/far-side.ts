/** The other end of the tools: it answers as it was recorded, and keeps a log of its own of what reached it. */
import type { Label } from "@hearth/protocol";
import { declareExternal, type FurtherTools } from "@hearth/warden/memory-warden";
import { callOf, placesIn, type Step, type Suite } from "./traces.ts";

export interface FarSide {
  readonly tools: FurtherTools;
  /** Calls that reached it, as `callOf` writes them. */
  readonly reached: readonly string[];
}

/** Whose text counts as whose. `by-place`: what no stranger can write into is the house's own people's. `strict`: nobody says, so all of it may be a stranger's. */
export type Labelling = "by-place" | "strict";

/** `recorded` as the file has them, `filled` as they are told this time: the same steps in the same order. */
export const createFarSide = (
  suite: Suite,
  recorded: readonly Step[],
  filled: readonly Step[],
  labelling: Labelling,
): FarSide => {
  const reached: string[] = [];
  const labelOf = (at: number): Label => (isStrangers(recorded[at], labelling) ? STRANGERS : COLLEAGUES);

  const tools = suite.tools.map(({ name, description, parameters }) => {
    const sinks = suite.consequential[name];
    const declaration = declareExternal({
      ...{ name, description, schema: parameters, effect: sinks === undefined ? "pure" : "plain", level: "r" },
      traits: { readsUntrusted: true, readsPrivate: sinks === undefined, acts: sinks !== undefined, destroys: false },
      ...{ sinks: sinks ?? [], needs: "nothing", timeoutMs: 5000 },
    });
    const run = async (input: Readonly<Record<string, unknown>>) => {
      const call = callOf({ tool: name, args: input as Step["args"] });
      reached.push(call);
      const at = filled.findIndex((step) => callOf(step) === call);
      return { text: filled[at]?.output ?? "None", failed: false, label: labelOf(at) };
    };
    return [name, { declaration, run }] as const;
  });
  return { tools: Object.fromEntries(tools), reached };
};

/** Whether what this call gives may hold a stranger's text. What was not recorded is nobody's word. */
export const isStrangers = (recorded: Step | undefined, labelling: Labelling): boolean =>
  labelling === "strict" || recorded === undefined || placesIn(recorded.output).length > 0;

const COLLEAGUES: Label = { integrity: "trusted", readers: "anyone", sources: [] };
const STRANGERS: Label = { integrity: "untrusted", readers: "anyone", sources: ["a tool of the far side"] };
