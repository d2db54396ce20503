/** The far side of the tools: it returns recorded results and logs the calls that reach it. */
import type { Label } from "@hearth/protocol";
import { declareExternal, type ExternalTools } from "@hearth/warden/memory-warden";
import { callOf, placesIn, type Step, type Suite } from "./traces.ts";

export interface FarSide {
  readonly tools: ExternalTools;
  /** Calls that reached it, in the format of `callOf`. */
  readonly reached: readonly string[];
}

/**
 * Selects the results that count as untrusted. `by-place`: results with a place where a stranger
 * can write. `strict`: all results.
 */
export type Labelling = "by-place" | "strict";

/** `recorded` has the steps of the file, `filled` the same steps with the text of this run. */
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

/** Whether the result of this call may contain a stranger's text. Unrecorded results always may. */
export const isStrangers = (recorded: Step | undefined, labelling: Labelling): boolean =>
  labelling === "strict" || recorded === undefined || placesIn(recorded.output).length > 0;

const COLLEAGUES: Label = { integrity: "trusted", readers: "anyone", sources: [] };
const STRANGERS: Label = { integrity: "untrusted", readers: "anyone", sources: ["a tool of the far side"] };
