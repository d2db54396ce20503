/** Builds the options for the run of a turn in one cell: its taint, its labels and its calls. */
import type { Agents, Frozen } from "../../agents/index.ts";
import { shrink } from "../../agents/lazy.ts";
import type { CellLease, Cells } from "../../cells/index.ts";
import type { Kernel } from "../../kernel/index.ts";
import type { Catalog } from "../../models/index.ts";
import type { People } from "../../people/index.ts";
import type { FileLabels, LabelledValue, OpenTurnTaint, Policy } from "../../policy/index.ts";
import type { ActivationId, ActivationInput, AgentId, FrameScope } from "@hearth/protocol";
import type { CompactionTurn, SessionLength } from "../compaction/compaction-turn.ts";
import { createLeftoverCommands } from "../queue/leftover-commands.ts";
import type { Lifecycle } from "../queue/lifecycle.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { RunHostStep } from "./host-steps.ts";
import { createReadText } from "./document-text.ts";
import type { Intake, IntakeTurn } from "./intake.ts";
import type { PartialText } from "./partial-text.ts";
import { createResultLabels, type ResultLabels } from "./result-labels.ts";
import type { RunOptions, RunCalls } from "./run-options.ts";
import type { KnownSteps, TurnSteps } from "./turn-steps.ts";
import {
  createAddCitation,
  createOpenFile,
  createReadFile,
  createScalePart,
  createStorePicture,
} from "./turn-files.ts";
import { createTurnTexts, labelToShow } from "./turn-texts.ts";
import { workspaceRootOf } from "./workspace-root.ts";

export interface CellRunInputsOptions {
  readonly kernel: Kernel;
  readonly people: Pick<People, "uploads">;
  readonly policy: Policy;
  readonly cells: Cells;
  readonly agents: Agents;
  readonly checkpoints: Pick<Checkpoints, "markTouched">;
  readonly lifecycle: Pick<Lifecycle, "pushDelta">;
  readonly intake: Intake;
  readonly runHostStep: RunHostStep;
  /** Collects the activations whose programs had access to the network. */
  readonly activationsWithNetwork: Set<ActivationId>;
}

/** A turn that has begun. The fields without `readonly` change from cell to cell. */
export interface Turn {
  readonly conversation: CompactionTurn;
  readonly scope: FrameScope;
  readonly steps: TurnSteps;
  /** Whether the turn has a session, which compaction can shorten. */
  readonly mayCompact: boolean;
  readonly model: Awaited<ReturnType<Catalog["resolve"]>>;
  readonly resolve: Catalog["resolve"];
  /** Resolves when the beginning of the turn is committed. */
  readonly startCommitted: Promise<void>;
  readonly files: FileLabels;
  /** The reply so far, as the watchers have seen it. */
  readonly shownReply: PartialText;
  /** Adds the steps of an earlier version of the loop to the input for a new cell. */
  readonly toInput: (input: ActivationInput) => ActivationInput;
  readonly intake: IntakeTurn;
  frozen: Frozen;
  input: ActivationInput;
  readValues: readonly LabelledValue[];
  knownSteps: KnownSteps;
  /** Number of cells that died since the turn last finished a step. */
  cellDeaths: number;
}

/** The taint of the values that a run in one cell has read, and the labels of its results. */
interface TurnLabels {
  readonly taint: OpenTurnTaint;
  readonly labels: ResultLabels;
}

export interface CellRunInputs {
  /** Opens the taint for a new cell, with every value that the turn has read so far. */
  openTaint(turn: Turn): TurnLabels;
  optionsOf(turn: Turn, cellLease: CellLease, length: SessionLength | undefined, turnLabels: TurnLabels): RunOptions;
}

export const createCellRunInputs = (options: CellRunInputsOptions): CellRunInputs => {
  const { kernel, people, policy, cells, agents, lifecycle, runHostStep, activationsWithNetwork } = options;
  const { store, blobs } = kernel;
  const storePicture = createStorePicture(kernel);
  const { chokePoint, taints } = policy;
  const { egress, pool } = cells;
  const { table } = agents;
  const texts = createTurnTexts(chokePoint.leakScan);
  const leftoverCommands = createLeftoverCommands(pool);
  const receivedPathsByAgent = new Map<AgentId, Map<string, number>>();

  const openTaint: CellRunInputs["openTaint"] = (turn) => {
    const { agent, audience } = turn.conversation;
    const { activation } = turn.scope;
    const taint = taints.open(activation, turn.readValues);
    const receivedPaths = receivedPathsByAgent.get(agent.id) ?? new Map<string, number>();
    receivedPathsByAgent.set(agent.id, receivedPaths);
    const labels = createResultLabels({
      turnsByReceivedPath: receivedPaths,
      table,
      activation,
      audience,
      files: turn.files,
      reachedHosts: taint.hosts,
      leftoverCommands: {
        record: () => leftoverCommands.record(agent.id, audience),
        folders: () => leftoverCommands.folders(agent.id),
      },
      onWorkspaceTouched: options.checkpoints.markTouched,
    });
    taints.onReach(activation, async (host) => {
      const writes = labels.labelNetwork(host);
      if (writes.length > 0) await store.commit({ writes });
    });
    return { taint, labels };
  };

  /** The functions of the warden that the run in one cell calls. */
  const callsOf = (turn: Turn, { taint, labels }: TurnLabels, input: ActivationInput): RunCalls => {
    const { row, agent, audience, lease, signal } = turn.conversation;
    const isHeartbeat = row.trigger === "heartbeat";
    return {
      intake: (step) => options.intake(turn.intake, step),
      runOnHost: (name, toolInput, position) =>
        runHostStep(name, toolInput, {
          ...position,
          activation: row,
          agent,
          audience,
          lease,
          granted: input.tools,
          signal,
          label: labelToShow(taint),
          workspaceRoot: workspaceRootOf(audience),
          resultLabel: labels.of({ name, input: toolInput }),
          toOutgoing: (text: string) => texts.cleanForPeople(text, taint),
          toInternal: (text: string) => texts.cleanForAgent(text, taint),
        }),
      offerEgress() {
        activationsWithNetwork.add(turn.scope.activation);
        return egress.offer(turn.scope.activation, agent.id);
      },
      redactions: () => agents.session.redactions.get(row.id),
      shrink,
      storePicture,
      async storeLabels(writes) {
        if (writes.length > 0) await store.commit({ writes });
      },
      addCitation: createAddCitation({ room: row.room, uploads: people.uploads }),
      readFile: createReadFile({ room: row.room, blobs, uploads: people.uploads }),
      openFile: createOpenFile({ room: row.room, uploads: people.uploads }),
      scale: createScalePart({ room: row.room, pictures: agents.pictures }),
      readText: createReadText({
        room: row.room,
        uploads: people.uploads,
        documents: cells.documents,
        clean: (text) => chokePoint.leakScan.redactOutgoing(agents.session.redactions.get(row.id)?.(text) ?? text),
      }),
      pushDelta(event) {
        // A heartbeat's text is not streamed, because it may say only that there is nothing to
        // report.
        if (isHeartbeat && event.type === "text-delta") return;
        turn.shownReply.add(event);
        lifecycle.pushDelta(row, event);
      },
      addUsage: turn.steps.addUsage,
    };
  };

  const optionsOf: CellRunInputs["optionsOf"] = (turn, cellLease, sessionLength, turnLabels) => {
    const { row, agent, lease, signal } = turn.conversation;
    const { taint, labels } = turnLabels;
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
        startCommitted: turn.startCommitted,
        place: isChild ? agent.house : scope.room,
        isChild,
        isHeartbeat,
        // The failure of a child is the result of its parent's tool call.
        mayRetry: !isChild,
        // Heartbeats and ambient turns may have nothing to say.
        isAnswerNeeded: !isChild && !isHeartbeat && row.trigger !== "ambient",
        silenceMs: kernel.config.current().cells.silenceSeconds * 1000,
      },
      input,
      model: { ...turn.model, names: [frozen.model, ...frozen.fallback], resolve: turn.resolve },
      cellLease,
      knownSteps: turn.knownSteps,
      taint,
      labels,
      table,
      calls: callsOf(turn, turnLabels, input),
      ...(sessionLength === undefined ? {} : { sessionLength }),
    };
  };

  return { openTaint, optionsOf };
};
