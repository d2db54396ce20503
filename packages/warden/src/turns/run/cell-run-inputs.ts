/** Gathers what the run of a turn in one cell is given: its taint, its labels and its calls. */
import type { Agents, Frozen } from "../../agents/index.ts";
import { shrink } from "../../agents/lazy.ts";
import type { CellLease, Cells } from "../../cells/index.ts";
import type { Kernel } from "../../kernel/index.ts";
import type { Catalog } from "../../models/index.ts";
import type { People } from "../../people/index.ts";
import type { FileLabels, LabelledValue, Policy } from "../../policy/index.ts";
import type { ActivationId, ActivationInput, AgentId, FrameScope } from "@hearth/protocol";
import type { CompactionTurn, SessionLength } from "../compaction/compaction-turn.ts";
import { createLeftoverCommands } from "../queue/left-running.ts";
import type { Lifecycle } from "../queue/lifecycle.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { RunHostStep } from "./host-steps.ts";
import { createReadText } from "./document-text.ts";
import type { Intake, IntakeTurn } from "./intake.ts";
import type { PartialText } from "./partial-reply.ts";
import { createResultLabels } from "./result-labels.ts";
import type { RunOptions } from "./run-options.ts";
import type { KnownSteps, TurnSteps } from "./turn-steps.ts";
import { createStorePicture, createReadFile } from "./turn-files.ts";
import { createTurnTexts, labelToShow } from "./turn-texts.ts";
import { rootOf } from "./workspace-root.ts";

export interface CellRunInputsOptions {
  readonly kernel: Kernel;
  readonly people: Pick<People, "uploads">;
  readonly policy: Policy;
  readonly cells: Cells;
  readonly agents: Agents;
  readonly checkpoints: Pick<Checkpoints, "touched">;
  readonly lifecycle: Pick<Lifecycle, "pushDelta">;
  readonly intake: Intake;
  readonly runHostStep: RunHostStep;
  /** Receives the activations whose programs got access to the network. */
  readonly offered: Set<ActivationId>;
}

/** A turn that has begun. The fields that a cell's run changes are not readonly. */
export interface Turn {
  readonly talk: CompactionTurn;
  readonly scope: FrameScope;
  readonly steps: TurnSteps;
  /** Whether it has a session that could become too long. */
  readonly hasTalk: boolean;
  readonly model: Awaited<ReturnType<Catalog["resolve"]>>;
  readonly resolve: Catalog["resolve"];
  /** Resolves when its beginning is on disk. */
  readonly durable: Promise<void>;
  readonly files: FileLabels;
  /** The reply as its readers have seen it. */
  readonly shown: PartialText;
  /** The input for a new cell, with what an earlier version of the loop did. */
  readonly toInput: (input: ActivationInput) => ActivationInput;
  readonly intake: IntakeTurn;
  frozen: Frozen;
  input: ActivationInput;
  held: readonly LabelledValue[];
  known: KnownSteps;
  /** How many cells died since it last made progress. */
  deaths: number;
}

/** The values that the run of one cell has read, and the labels of its results. */
type Reading = Pick<RunOptions, "taint" | "labels">;

export interface CellRunInputs {
  /** Opened again for each cell, with everything that the last cell had read. */
  openTaint(turn: Turn): Reading;
  optionsOf(turn: Turn, cellLease: CellLease, length: SessionLength | undefined, reading: Reading): RunOptions;
}

export const createCellRunInputs = (options: CellRunInputsOptions): CellRunInputs => {
  const { kernel, people, policy, cells, agents, lifecycle, runHostStep, offered } = options;
  const { store, blobs } = kernel;
  const storePicture = createStorePicture(kernel);
  const { chokePoint, taints } = policy;
  const { egress, pool } = cells;
  const { table } = agents;
  const texts = createTurnTexts(chokePoint.leaks);
  const left = createLeftoverCommands(pool);
  const received = new Map<AgentId, Map<string, number>>();

  const openTaint: CellRunInputs["openTaint"] = (turn) => {
    const { agent, audience } = turn.talk;
    const { activation } = turn.scope;
    const taint = taints.open(activation, turn.held);
    const own = received.get(agent.id) ?? new Map<string, number>();
    received.set(agent.id, own);
    const labels = createResultLabels({
      received: own,
      table,
      activation,
      audience,
      files: turn.files,
      reached: taint.hosts,
      left: {
        began: () => left.record(agent.id, audience),
        folders: () => left.folders(agent.id),
      },
      touched: options.checkpoints.touched,
    });
    taints.onReach(activation, async (host) => {
      const writes = labels.reaching(host);
      if (writes.length > 0) await store.commit({ writes });
    });
    return { taint, labels };
  };

  /** The calls of one cell's run to the warden. */
  const callsOf = (turn: Turn, { taint, labels }: Reading, input: ActivationInput): RunOptions["calls"] => {
    const { row, agent, audience, lease, signal } = turn.talk;
    const isHeartbeat = row.trigger === "heartbeat";
    return {
      intake: (step) => options.intake(turn.intake, step),
      onHost: (name, given, at) =>
        runHostStep(name, given, {
          ...at,
          activation: row,
          agent,
          audience,
          lease,
          granted: input.tools,
          signal,
          label: labelToShow(taint),
          workspaceRoot: rootOf(audience),
          resultLabel: labels.of({ name, input: given }),
          outgoing: (text: string) => texts.outgoing(text, taint),
          inside: (text: string) => texts.inside(text, taint),
        }),
      offerEgress() {
        offered.add(turn.scope.activation);
        return egress.offer(turn.scope.activation, agent.id);
      },
      redactions: () => agents.session.redactions.get(row.id),
      shrink,
      storePicture,
      async keepLabels(writes) {
        if (writes.length > 0) await store.commit({ writes });
      },
      readFile: createReadFile({ room: row.room, blobs, uploads: people.uploads }),
      readText: createReadText({
        room: row.room,
        uploads: people.uploads,
        documents: cells.documents,
        clean: (text) => chokePoint.leaks.redactOutgoing(agents.session.redactions.get(row.id)?.(text) ?? text),
      }),
      delta(event) {
        // A heartbeat's text is not shown while it streams, because it may turn out to be nothing
        // to say.
        if (isHeartbeat && event.type === "text-delta") return;
        turn.shown.take(event);
        lifecycle.pushDelta(row, event);
      },
      spent: turn.steps.spend,
    };
  };

  const optionsOf: CellRunInputs["optionsOf"] = (turn, cellLease, length, reading) => {
    const { row, agent, lease, signal } = turn.talk;
    const { taint, labels } = reading;
    const { frozen, scope } = turn;
    const input = turn.toInput(turn.input);
    const isChild = row.parent !== null;
    const isHeartbeat = row.trigger === "heartbeat";
    return {
      kernel,
      chokePoint,
      turn: {
        scope,
        lease,
        signal,
        durable: turn.durable,
        place: isChild ? agent.house : scope.room,
        isChild,
        isHeartbeat,
        // A child's failure is the result of its parent's tool call. Heartbeats and ambient turns
        // may have nothing to say.
        mayRetry: !isChild,
        isAnswerNeeded: !isChild && !isHeartbeat && row.trigger !== "ambient",
        silenceMs: kernel.config.current().cells.silenceSeconds * 1000,
      },
      input,
      model: { ...turn.model, names: [frozen.model, ...frozen.fallback], resolve: turn.resolve },
      cellLease,
      known: turn.known,
      taint,
      labels,
      table,
      calls: callsOf(turn, reading, input),
      ...(length === undefined ? {} : { length }),
    };
  };

  return { openTaint, optionsOf };
};
