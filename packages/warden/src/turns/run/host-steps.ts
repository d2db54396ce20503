/**
 * Runs tool calls on the host. The effect of a call and its completion are one commit, so a crash
 * leaves both or neither.
 */
import { leaseLostError, type Journal, type DurableStreams } from "../../kernel/index.ts";
import type { LeakScan } from "../../policy/index.ts";
import type { HostCall, HostTools, HostOutcome } from "../../agents/index.ts";
import type { Part } from "@hearth/protocol";
import { writeToolStep } from "./step-output.ts";
import { filesOfStep, type StorePicture } from "./turn-files.ts";

/**
 * Runs a call whose `started` is in the journal. Resolves when the result is committed. If the call
 * was stopped, nothing is committed.
 */
export type RunHostStep = (name: string, input: unknown, call: HostCall) => Promise<LabelledOutcome>;

export type LabelledOutcome = Omit<HostOutcome, "image"> &
  Required<Pick<HostOutcome, "label">> & {
    /** References to the files of the result. */
    readonly parts?: Part[];
  };

/**
 * Maximum number of attempts of a call. It runs again if its commit conflicts with another commit.
 * More conflicts than this are a bug.
 */
const MAX_ATTEMPTS = 10;

export const createHostSteps =
  (options: {
    readonly journal: Journal;
    readonly streams: Pick<DurableStreams, "commit">;
    readonly tools: HostTools;
    readonly leakScan: Pick<LeakScan, "redactResult">;
    readonly storePicture: StorePicture;
  }): RunHostStep =>
  async (name, input, call) => {
    const { journal, streams, tools, leakScan, storePicture } = options;
    const { lease, step } = call;
    const activation = call.activation.id;
    let reusableOutcome: HostOutcome | undefined;
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      const hostOutcome = reusableOutcome ?? (await tools.run(name, input, call));
      if (hostOutcome.runsOnce === true) reusableOutcome = hostOutcome;
      const { image, ...textOutcome } = hostOutcome;
      const label = textOutcome.label ?? call.resultLabel;
      const picture = image === undefined ? undefined : await storePicture(image, name);
      const outcome: LabelledOutcome = {
        ...textOutcome,
        label,
        text: leakScan.redactResult(textOutcome.text),
        ...(picture === undefined ? {} : { parts: [picture] }),
      };
      if (call.signal.aborted) return outcome;
      const { sameCommit } = outcome;
      const end = await journal.planStepEnd(lease, activation, step, writeToolStep(outcome), { label });
      const result = await streams.commit({
        guards: [...end.guards, ...(sameCommit?.guards ?? [])],
        writes: [...end.writes, ...filesOfStep(activation, step, outcome.parts), ...(sameCommit?.writes ?? [])],
        events: sameCommit?.events ?? [],
      });
      if (result.kind === "committed") return outcome;
      if (result.kind === "refused" && result.guard === "lease") throw leaseLostError(lease.agent);
    }
    throw new Error(`${name} of ${activation} conflicted with another commit each time`);
  };
