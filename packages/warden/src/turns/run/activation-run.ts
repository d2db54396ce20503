/** Runs one activation: begins or resumes it, and starts new cells, up to a limit, if cells die. */
import type { Agents, Context } from "../../agents/index.ts";
import { continueFrom, createHostTools, createSliceReader } from "../../agents/lazy.ts";
import type { Cells } from "../../cells/index.ts";
import { type Kernel, type Lease, readJson, type Row } from "../../kernel/index.ts";
import type { Models } from "../../models/index.ts";
import type { People } from "../../people/index.ts";
import type { Policy } from "../../policy/index.ts";
import {
  isScheduled,
  type ActivationId,
  addUsage,
  type FrameScope,
  LOOP_VERSION,
  noUsage,
  type Usage,
} from "@hearth/protocol";
import type { CompactionTurn } from "../compaction/compaction-turn.ts";
import { type Compactions, createCompactions } from "../compaction/compactions.ts";
import { type Lifecycle, Parked } from "../queue/lifecycle.ts";
import { repeatedDeathFailure } from "../recovery/repeated-deaths.ts";
import { MAX_DAEMON_DEATHS } from "../recovery/retry-policy.ts";
import type { Turn } from "./cell-run-inputs.ts";
import { createCellRuns } from "./cell-runs.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { MESSAGE_DELETED, type HouseChildren, PARENT_STOPPED } from "./children.ts";
import { interruptedCalls, toHistorySteps } from "./history-steps.ts";
import { createHostSteps } from "./host-steps.ts";
import type { Intake } from "./intake.ts";
import { createJournaledCalls } from "./journaled-call.ts";
import { createOneShotCall } from "./one-shot-call.ts";
import type { Outcome } from "./outcome.ts";
import { createPartialText } from "./partial-text.ts";
import { createStorePicture } from "./turn-files.ts";
import { createTurnSteps, type KnownSteps, type TurnSteps } from "./turn-steps.ts";

type ActivationRow = Row<"activations">;

export interface ActivationRunOptions {
  readonly kernel: Kernel;
  readonly people: People;
  readonly models: Models;
  readonly policy: Policy;
  readonly cells: Cells;
  readonly agents: Agents;
  readonly context: Context;
  readonly checkpoints: Checkpoints;
  readonly lifecycle: Lifecycle;
  readonly intake: Intake;
  readonly children: HouseChildren;
}

/** `onUsage` receives the usage so far, also when the run throws. */
export type ActivationRun = (
  row: ActivationRow,
  lease: Lease,
  signal: AbortSignal,
  onUsage: (usage: Usage) => void,
) => Promise<Outcome>;

export const createActivationRun = (options: ActivationRunOptions): ActivationRun => {
  const { kernel, people, models, policy, cells, lifecycle, children } = options;
  const { journal } = kernel;
  const { records, rooms, audienceOf } = people;
  const { egress, pool } = cells;
  /** Activations whose programs had access to the network. */
  const activationsWithNetwork = new Set<ActivationId>();
  const compactions = openCompactions(options);
  const cellRuns = createCellRuns({
    ...options,
    compactions,
    activationsWithNetwork,
    runHostStep: openHostSteps(options),
  });

  /** Returns the outcome of an activation that ends before it begins. */
  const findRefusal = async (row: ActivationRow): Promise<Outcome | undefined> => {
    // The message may have been deleted just before the activation was queued. An activation that
    // has not begun notices the deletion when it reads the room.
    if ((row.started_at !== null || row.parent !== null) && (await rooms.isRemoved(row.room, row.cause)))
      return { kind: "stopped", reason: MESSAGE_DELETED };
    // The parent may have been stopped just before this activation was queued.
    if (await children.isOrphan(row)) return { kind: "stopped", reason: PARENT_STOPPED };
    return row.crashes >= MAX_DAEMON_DEATHS ? repeatedDeathFailure(`Hearth died ${row.crashes} times`) : undefined;
  };

  const begin = async (conversation: CompactionTurn, scope: FrameScope, steps: TurnSteps): Promise<Turn | Outcome> => {
    const { row, agent, audience, lease, signal } = conversation;
    // Children and jobs have no session that could become too long.
    const mayCompact = row.parent === null && !isScheduled(row);
    const isCompacted = row.started_at === null && mayCompact && (await compactions.compactBefore(conversation));
    // A person stopped the activation during the compaction, so it does not begin.
    if (isCompacted && signal.aborted) {
      await steps.load();
      return { kind: "stopped" };
    }
    const beginning = await lifecycle.begin(row, agent, audience, lease);
    if (beginning === undefined) return { kind: "stopped", reason: MESSAGE_DELETED };
    const { frozen, input, labelledValues: readValues, isResumed, startCommitted } = beginning;
    // Every step awaits `durable` and throws its error. This handler only prevents an unhandled
    // rejection if no step does.
    startCommitted.catch(() => {});
    const model = await models.providers.resolve(frozen.model, frozen.fallback);
    // The gates of an ambient activation may have journaled a model call.
    const knownSteps: KnownSteps =
      isResumed || isCompacted || row.trigger === "ambient" ? await steps.load() : new Map();
    const isSameLoop = frozen.loop === LOOP_VERSION;
    const historySteps = isSameLoop ? [] : toHistorySteps(knownSteps);
    for (const step of interruptedCalls(knownSteps, historySteps.length))
      await journal.markUnknown(lease, scope.activation, step);
    return {
      conversation,
      scope,
      steps,
      mayCompact,
      model,
      resolve: models.providers.resolve,
      startCommitted,
      files: await policy.files.open(agent.id),
      shownReply: createPartialText(),
      toInput: (frozenInput) => (isSameLoop ? frozenInput : continueFrom(frozenInput, historySteps)),
      intake: {
        row,
        agent,
        frozen,
        lease,
        startCommitted,
        unreadFrom: unreadFrom(row, knownSteps),
        lastFullStep: undefined,
      },
      frozen,
      input,
      readValues,
      knownSteps,
      cellDeaths: 0,
    };
  };

  const runOnce = async (row: ActivationRow, lease: Lease, signal: AbortSignal, steps: TurnSteps): Promise<Outcome> => {
    const scope = scopeOf(row, kernel);
    await journal.restart(scope.activation);
    const refusal = await findRefusal(row);
    if (refusal !== undefined) {
      if (row.started_at !== null || refusal.kind === "failed") await steps.load();
      return refusal;
    }
    const agent = await records.get("agent", row.agent);
    const audience = await audienceOf(agent, await records.get("room", row.room));
    pool.warm(agent, audience);
    const turn = await begin({ row, agent, audience, lease, signal }, scope, steps);
    return "kind" in turn ? turn : cellRuns.run(turn);
  };

  return async (row, lease, signal, onUsage) => {
    const activation = row.id;
    let usageOfSteps = noUsage;
    const reportUsage = (usage: Usage): void => {
      usageOfSteps = usage;
      onUsage(usage);
    };
    try {
      return await runOnce(row, lease, signal, createTurnSteps(journal, row, reportUsage));
    } finally {
      egress.revoke(activation);
      policy.taints.close(activation);
      // Programs in the cell may have called models too, in this run or an earlier one.
      if (activationsWithNetwork.delete(activation) || row.started_at !== null)
        onUsage(addUsage(usageOfSteps, await egress.readUsage(activation)));
    }
  };
};

const openCompactions = ({ kernel, people, models, policy, agents }: ActivationRunOptions): Compactions => {
  const { providers } = models;
  const { chokePoint } = policy;
  const { session, brains } = agents;
  return createCompactions({
    kernel,
    records: people.records,
    brains,
    providers,
    session,
    leakScan: chokePoint.leakScan,
    readSlice: createSliceReader(session),
    callJournaled: createJournaledCalls({
      clock: kernel.world.clock,
      providers,
      chokePoint,
      journal: kernel.journal,
      telemetry: kernel.telemetry,
    }),
  });
};

const openHostSteps = (options: ActivationRunOptions): ReturnType<typeof createHostSteps> => {
  const { kernel, people, models, policy, cells, agents, children } = options;
  const { journal, streams } = kernel;
  const { chokePoint } = policy;
  const storePicture = createStorePicture(kernel);
  const oneShotCall = createOneShotCall({ providers: models.providers, chokePoint, telemetry: kernel.telemetry });
  const tools = createHostTools({ kernel, people, models, policy, cells, agents, children, oneShotCall });
  return createHostSteps({ journal, streams, tools, leakScan: chokePoint.leakScan, storePicture });
};

const scopeOf = (row: ActivationRow, { world }: Kernel): FrameScope => ({
  agent: row.agent,
  room: row.room,
  person: row.person,
  // A child has a session that starts with the question of its parent only.
  session: row.parent === null ? world.ids.derive("ses", row.room, row.agent) : world.ids.derive("ses", row.id),
  activation: row.id,
});

/**
 * Returns the room's head when the activation began to wait for a decision. Returns undefined if it
 * did not wait, or has read the later messages since.
 */
const unreadFrom = ({ parked }: ActivationRow, knownSteps: KnownSteps): number | undefined => {
  if (parked === null) return undefined;
  const { step, head } = Parked.parse(readJson(parked));
  const hasReadLaterMessages = [...knownSteps].some(([index, { kind }]) => kind === "intake" && index > step);
  return hasReadLaterMessages ? undefined : head;
};
