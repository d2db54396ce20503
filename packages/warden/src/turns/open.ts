/**
 * Opens the area `turns`: decides which agents a message wakes, queues and runs their activations,
 * and holds a restored home.
 */
import { type Agents, type Context, createContext, hasPartIn } from "../agents/index.ts";
import type { Cells } from "../cells/index.ts";
import type { Messaging } from "../channels/index.ts";
import type { Kernel } from "../kernel/index.ts";
import type { Models } from "../models/index.ts";
import type { People } from "../people/index.ts";
import type { Policy } from "../policy/index.ts";
import { lazy, lazyMethods } from "@hearth/protocol";
import { createChainLimits } from "./dispatch/chain-limits.ts";
import { createDispatch, type Dispatch, READER } from "./dispatch/dispatch.ts";
import type { Fates } from "./dispatch/fates.ts";
import { ambientOf, createGates } from "./dispatch/gates/gates.ts";
import { createRemovalReader, type RemovalReader } from "./dispatch/removals.ts";
import { createWhoWakes } from "./dispatch/who-wakes.ts";
import type { AgentStates } from "./queue/agent-states.ts";
import { createStops, type Stops } from "./queue/stops.ts";
import { createBrainGuard } from "./recovery/brain-guard.ts";
import { createRestoreHold, type RestoreHold } from "./recovery/restore-hold.ts";
import { createCellPrewarming } from "./run/cell-prewarming.ts";
import { type Checkpoints, createCheckpoints } from "./run/checkpoints.ts";
import { createActivations, type HouseActivations } from "./run/house-activations.ts";
import type { StepPrompts } from "./run/step-prompts.ts";

export interface TurnsOptions {
  readonly kernel: Kernel;
  readonly people: People;
  readonly models: Models;
  readonly policy: Policy;
  readonly messaging: Messaging;
  readonly cells: Cells;
  readonly agents: Agents;
}

export interface Turns {
  readonly activations: HouseActivations;
  readonly checkpoints: Checkpoints;
  readonly context: Context;
  readonly dispatch: Dispatch;
  readonly fates: Fates;
  readonly prompts: StepPrompts;
  readonly removals: RemovalReader;
  /** The hold of a house after its home was restored. */
  readonly restore: RestoreHold;
  readonly states: AgentStates;
  readonly stops: Stops;
}

const DAY_MS = 24 * 60 * 60_000;

export const openTurns = (options: TurnsOptions): Turns => {
  const { kernel, people, models, policy, cells, agents } = options;
  const { log, store, streams, findings, blobs, journal, world, telemetry } = kernel;
  const { records, permissions, audienceOf, rooms } = people;
  const { holds, approvals, isIsolated, budgets, chokePoint } = policy;
  const { pool } = cells;
  const { brains, inbox, session, schedule, table } = agents;
  const limits = () => kernel.config.current().turns;
  // These parts are loaded at the first use, so that a start does not wait for them.
  const unfinishedTurns = lazy(async () =>
    (await import("./recovery/unfinished-turns.ts")).createUnfinishedTurns({
      store,
      blobs,
      journal,
      rooms,
      sessionRanges: session.sessionRanges,
      inbox,
    }),
  );
  const context = createContext({
    kernel,
    people,
    models,
    agents,
    isIsolated,
    findUnfinished: async (...turn) => (await unfinishedTurns())(...turn),
  });
  const fates = lazy(async () =>
    (await import("./dispatch/fates.ts")).createFates({
      clock: kernel.world.clock,
      store,
      streams,
      records,
      retentionMs: () => limits().logDays * DAY_MS,
    }),
  );
  const states = lazy(async () =>
    (await import("./queue/agent-states.ts")).createAgentStates({
      store,
      streams,
      records,
      holds,
      reader: READER,
      ambientOf,
      isIsolated,
      hasPart: hasPartIn(kernel.config),
      table,
    }),
  );
  const prompts = lazy(async () => (await import("./run/step-prompts.ts")).createStepPrompts(options));
  const checkpoints = createCheckpoints({ log, records, brains });
  const chainLimits = createChainLimits({ store, streams, records, limits });
  const gates = createGates({
    store,
    streams,
    world,
    journal,
    telemetry,
    budgets,
    chokePoint,
    records,
    providers: models.providers,
    chainLimits,
  });
  const activations = createActivations({ ...options, context, checkpoints, gates });
  approvals.onDecided(activations.enqueueDecided);
  const stops = createStops({ holds, activations, pool, approvals });
  brains.addGuard(createBrainGuard(log, stops));
  return {
    activations,
    checkpoints,
    context,
    dispatch: createDispatch({
      world,
      log,
      store,
      streams,
      records,
      wake: activations.wake,
      stopBefore: activations.stopBefore,
      prewarmCells: createCellPrewarming({ records, audienceOf, holds, pool }),
      whoWakes: createWhoWakes({
        world,
        store,
        records,
        chainLimits,
        permissions,
      }),
    }),
    fates: lazyMethods(fates, ["list"]),
    prompts: lazyMethods(prompts, ["show"]),
    removals: createRemovalReader({ records, streams, activations, pool }),
    restore: createRestoreHold({
      log,
      world,
      store,
      streams,
      records,
      activations,
      approvals,
      findings,
      reader: READER,
      discardDueJobs: () => schedule.skipDue("The owner discarded what was due when the home was restored."),
    }),
    states: lazyMethods(states, ["of", "ofHouse", "introspect"]),
    stops,
  };
};
