/**
 * Runs tool calls on the host. The effect of a call and its completion are one commit, so a crash
 * leaves both or neither.
 */
import { leaseLost, type Journal, type DurableStreams } from "../../kernel/index.ts";
import type { LeakScan } from "../../policy/index.ts";
import type { HostCall, HostTools, HostOutcome } from "../../agents/index.ts";
import type { Part } from "@hearth/protocol";
import { writeToolStep } from "./step-output.ts";
import { filesOfStep, type StorePicture } from "./turn-files.ts";

/**
 * Runs a call whose `started` is in the journal. Durable when it resolves. When the call was
 * stopped, nothing of it is stored.
 */
export type RunHostStep = (name: string, input: unknown, call: HostCall) => Promise<LabelledOutcome>;

export type LabelledOutcome = Omit<HostOutcome, "image"> &
  Required<Pick<HostOutcome, "label">> & {
    /** References to its files. */
    readonly parts?: Part[];
  };

/** How often a call runs again because another commit was faster. More conflicts are a bug. */
const MAX_LOOKS = 10;

export const createHostSteps =
  (options: {
    readonly journal: Journal;
    readonly streams: Pick<DurableStreams, "commit">;
    readonly tools: HostTools;
    readonly leaks: Pick<LeakScan, "result">;
    readonly storePicture: StorePicture;
  }): RunHostStep =>
  async (name, input, call) => {
    const { journal, streams, tools, leaks, storePicture } = options;
    const { lease, step } = call;
    const activation = call.activation.id;
    let once: HostOutcome | undefined;
    for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
      const came = once ?? (await tools.run(name, input, call));
      if (came.runsOnce === true) once = came;
      const { image, ...said } = came;
      const label = said.label ?? call.resultLabel;
      const picture = image === undefined ? undefined : await storePicture(image, name);
      const outcome: LabelledOutcome = {
        ...said,
        label,
        text: leaks.result(said.text),
        ...(picture === undefined ? {} : { parts: [picture] }),
      };
      if (call.signal.aborted) return outcome;
      const { along } = outcome;
      const end = await journal.planDone(lease, activation, step, writeToolStep(outcome), { label });
      const result = await streams.commit({
        guards: [...end.guards, ...(along?.guards ?? [])],
        writes: [...end.writes, ...filesOfStep(activation, step, outcome.parts), ...(along?.writes ?? [])],
        events: along?.events ?? [],
      });
      if (result.kind === "committed") return outcome;
      if (result.kind === "refused" && result.guard === "lease") throw leaseLost(lease.agent);
    }
    throw new Error(`${name} of ${activation} conflicted with another commit each time`);
  };
