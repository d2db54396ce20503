/** Runs one activation: begins or resumes it, in as many cells as it needs, up to a limit. */
import type { Agents, Context } from "../../agents/index.ts";
import { continueFrom, createHostTools, createSliceReader } from "../../agents/lazy.ts";
import type { Cells } from "../../cells/index.ts";
import { isOfSchedule, type Kernel, type Lease, readJson, type Row } from "../../kernel/index.ts";
import type { Models } from "../../models/index.ts";
import type { People } from "../../people/index.ts";
import type { Policy } from "../../policy/index.ts";
import { type ActivationId, addUsage, type FrameScope, LOOP_VERSION, noUsage, type Usage } from "@hearth/protocol";
import type { CompactionTurn } from "../compaction/compaction-turn.ts";
import { type Compactions, createCompactions } from "../compaction/compactions.ts";
import { type Lifecycle, Parked } from "../queue/lifecycle.ts";
import { givenUp } from "../recovery/giving-up.ts";
import { MAX_DAEMON_DEATHS } from "../recovery/retry-policy.ts";
import type { Turn } from "./cell-run-inputs.ts";
import { createCellRuns } from "./cell-runs.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { DELETED, type HouseChildren, PARENT_STOPPED } from "./children.ts";
import { interruptedCalls, toHistorySteps } from "./history-steps.ts";
import { createHostSteps } from "./host-steps.ts";
import type { Intake } from "./intake.ts";
import { createJournaledCalls } from "./journaled-call.ts";
import { createOneShotCall } from "./one-shot-call.ts";
import type { Outcome } from "./outcome.ts";
import { createPartialText } from "./partial-reply.ts";
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

/** `spent` receives the cost, also when the run throws. */
export type ActivationRun = (
  row: ActivationRow,
  lease: Lease,
  signal: AbortSignal,
  spent: (usage: Usage) => void,
) => Promise<Outcome>;

export const createActivationRun = (options: ActivationRunOptions): ActivationRun => {
  const { kernel, people, models, policy, cells, lifecycle, children } = options;
  const { journal } = kernel;
  const { records, rooms, audienceOf } = people;
  const { egress, pool } = cells;
  /** Activations whose programs had access to the network. */
  const offered = new Set<ActivationId>();
  const compactions = openCompactions(options);
  const cellRuns = createCellRuns({ ...options, compactions, offered, runHostStep: openHostSteps(options) });

  /** Why the activation ends before it begins. */
  const refusalOf = async (row: ActivationRow): Promise<Outcome | undefined> => {
    // The message may have been deleted by a request that could not stop its activation in time. A
    // fresh activation that is about to read the room notices the deletion there.
    if ((row.started_at !== null || row.parent !== null) && (await rooms.isRemoved(row.room, row.cause)))
      return { kind: "stopped", reason: DELETED };
    // The same holds for a stop of the parent.
    if (await children.isOrphan(row)) return { kind: "stopped", reason: PARENT_STOPPED };
    return row.crashes >= MAX_DAEMON_DEATHS ? givenUp(`Hearth died ${row.crashes} times`) : undefined;
  };

  const begin = async (talk: CompactionTurn, scope: FrameScope, steps: TurnSteps): Promise<Turn | Outcome> => {
    const { row, agent, audience, lease, signal } = talk;
    // Children and jobs have no session that could become too long.
    const hasTalk = row.parent === null && !isOfSchedule(row);
    const isCompacted = row.started_at === null && hasTalk && (await compactions.before(talk));
    // It was stopped meanwhile, so nothing of it begins.
    if (isCompacted && signal.aborted) {
      await steps.load();
      return { kind: "stopped" };
    }
    const beginning = await lifecycle.begin(row, agent, audience, lease);
    if (beginning === undefined) return { kind: "stopped", reason: DELETED };
    const { frozen, input, held, resumed, durable } = beginning;
    // Steps that need it await it. If no step gets that far, its failure is the failure that ended
    // them.
    durable.catch(() => {});
    const model = await models.providers.resolve(frozen.model, frozen.fallback);
    // The gates may already have called a model.
    const known: KnownSteps = resumed || isCompacted || row.trigger === "ambient" ? await steps.load() : new Map();
    const isSameLoop = frozen.loop === LOOP_VERSION;
    const historySteps = isSameLoop ? [] : toHistorySteps(known);
    for (const step of interruptedCalls(known, historySteps.length))
      await journal.unknown(lease, scope.activation, step);
    return {
      talk,
      scope,
      steps,
      hasTalk,
      model,
      resolve: models.providers.resolve,
      durable,
      files: await policy.files.open(agent.id),
      shown: createPartialText(),
      toInput: (given) => (isSameLoop ? given : continueFrom(given, historySteps)),
      intake: { row, agent, frozen, lease, durable, unheardFrom: unheardFrom(row, known), fullAt: undefined },
      frozen,
      input,
      held,
      known,
      deaths: 0,
    };
  };

  const attempt = async (row: ActivationRow, lease: Lease, signal: AbortSignal, steps: TurnSteps): Promise<Outcome> => {
    const scope = scopeOf(row, kernel);
    await journal.restart(scope.activation);
    const refusal = await refusalOf(row);
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

  return async (row, lease, signal, spent) => {
    const activation = row.id;
    let own = noUsage;
    const tell = (usage: Usage): void => {
      own = usage;
      spent(usage);
    };
    try {
      return await attempt(row, lease, signal, createTurnSteps(journal, row, tell));
    } finally {
      egress.revoke(activation);
      policy.taints.close(activation);
      // Programs in its cell may have called models too, in this run or an earlier one.
      if (offered.delete(activation) || row.started_at !== null) spent(addUsage(own, await egress.took(activation)));
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
    leaks: chokePoint.leaks,
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
  const tools = createHostTools({
    ...kernel,
    ...people,
    ...agents,
    ...policy,
    levelOf: people.permissions.levelOf,
    recall: agents.memories.recall,
    earlier: agents.session.earlier,
    egress: cells.egress,
    documents: cells.documents,
    pictures: models.pictures,
    children,
    jobs: agents.schedule.own,
    oneShotCall: createOneShotCall({ providers: models.providers, chokePoint, telemetry: kernel.telemetry }),
    maxChain: kernel.config.current().turns.maxChain,
  });
  return createHostSteps({ journal, streams, tools, leaks: chokePoint.leaks, storePicture });
};

const scopeOf = (row: ActivationRow, { world }: Kernel): FrameScope => ({
  agent: row.agent,
  room: row.room,
  person: row.person,
  // A child has its own session, which starts with its question only.
  session: row.parent === null ? world.ids.derive("ses", row.room, row.agent) : world.ids.derive("ses", row.id),
  activation: row.id,
});

/** The room's head when the activation was parked, unless it has read the later messages since. */
const unheardFrom = ({ parked }: ActivationRow, known: KnownSteps): number | undefined => {
  if (parked === null) return undefined;
  const { step, head } = Parked.parse(readJson(parked));
  const hasHeard = [...known].some(([index, { kind }]) => kind === "intake" && index > step);
  return hasHeard ? undefined : head;
};
