/** The options of an activation's run in one cell. */
import type { CellLease } from "../../cells/index.ts";
import type { LabelledMessage } from "../../agents/index.ts";
import type { Kernel, JournaledStep, Lease, Write } from "../../kernel/index.ts";
import type { ChokePoint, OpenTurnTaint } from "../../policy/index.ts";
import type { Catalog, Provider, ReadFile, ReadText, ScalePart } from "../../models/index.ts";
import type {
  ActivationInput,
  DeltaEvent,
  FrameScope,
  ModelRequest,
  Place,
  StepEgress,
  ToolCall,
  Usage,
} from "@hearth/protocol";
import type { ToolTable } from "@hearth/protocol/tools";
import type { AddCitation, StorePicture } from "./turn-files.ts";
import type { OpenFile } from "./turn-inbox.ts";
import type { SessionLength } from "../compaction/compaction-turn.ts";
import type { LabelledOutcome } from "./host-steps.ts";
import type { ResultLabels } from "./result-labels.ts";

export interface RunOptions {
  readonly kernel: Pick<Kernel, "world" | "journal" | "telemetry">;
  readonly chokePoint: ChokePoint;
  readonly turn: RunTurn;
  readonly input: ActivationInput;
  readonly model: RunModel;
  readonly cellLease: CellLease;
  readonly knownSteps: ReadonlyMap<number, JournaledStep>;
  /** The taint of the values that the turn has read. The run adds each value that it reads. */
  readonly taint: OpenTurnTaint;
  readonly labels: ResultLabels;
  readonly table: ToolTable;
  readonly calls: RunCalls;
  /** Measures the session. It is absent if the turn has no session that compaction can shorten. */
  readonly sessionLength?: SessionLength;
}

/** The activation that runs. */
export interface RunTurn {
  readonly scope: FrameScope;
  /** The place whose permission levels apply. */
  readonly place: Place;
  readonly lease: Lease;
  readonly signal: AbortSignal;
  /** Resolves when the beginning of the activation is committed. */
  readonly startCommitted: Promise<void>;
  /** Whether another activation requested this one. */
  readonly isChild: boolean;
  /** Whether the activation is a heartbeat, which also counts against the heartbeat budget. */
  readonly isHeartbeat: boolean;
  /**
   * Whether a transient failure of the model ends this run as `retry`. Otherwise the activation
   * fails.
   */
  readonly mayRetry: boolean;
  /** Whether an empty answer is a failure of the model. */
  readonly isAnswerNeeded: boolean;
  /** How long the inmate may send no frame while the warden waits for one. */
  readonly silenceMs: number;
}

/** The model of the activation. */
export interface RunModel {
  readonly provider: Provider;
  readonly model: string;
  /** Its name as `provider/model`, and the names of the models that replace it. */
  readonly names: readonly string[];
  readonly resolve: Catalog["resolve"];
}

/** Functions of the warden that a run calls. */
export interface RunCalls {
  /** Commits a step with the new messages that this activation also answers, and returns them. */
  readonly intake: (step: number) => Promise<readonly LabelledMessage[]>;
  /**
   * Runs a tool call on the host. Resolves when the result is committed, or when the activation was
   * stopped. `remaining` is the number of tool calls that the activation has left.
   */
  readonly runOnHost: (
    name: string,
    input: ToolCall["input"],
    position: { readonly step: number; readonly remaining: number },
  ) => Promise<LabelledOutcome>;
  /** Network access for a step that runs commands, or undefined. */
  readonly offerEgress: () => Promise<StepEgress | undefined>;
  /** Returns a function that removes text that was forgotten since the turn began, if any was. */
  readonly redactions: () => ((text: string) => string) | undefined;
  /** Returns the request with less history, or undefined when nothing can be omitted. */
  readonly shrink: (messages: ModelRequest["messages"]) => ModelRequest["messages"] | undefined;
  readonly storePicture: StorePicture;
  /** Reads a file of the turn for its model. */
  readonly readFile: ReadFile;
  /** Opens a file of the turn's messages for the cell. */
  readonly openFile: OpenFile;
  /** Reads a document of the turn as text, for a model that does not take it. */
  readonly readText: ReadText;
  /** Scales a picture of the turn down. */
  readonly scale: ScalePart;
  readonly addCitation: AddCitation;
  /** Stores labels of files. The labels are durable when it resolves. */
  readonly storeLabels: (writes: readonly Write[]) => Promise<void>;
  readonly pushDelta: (event: DeltaEvent) => void;
  readonly addUsage: (usage: Usage) => void;
}
