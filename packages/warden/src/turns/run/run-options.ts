/** The options of an activation's run in one cell. */
import type { CellLease } from "../../cells/index.ts";
import type { HeldMessage } from "../../agents/index.ts";
import type { Kernel, KnownStep, Lease, Write } from "../../kernel/index.ts";
import type { ChokePoint, OpenTurnTaint } from "../../policy/index.ts";
import type { Catalog, Provider, ReadFile, ReadText } from "../../models/index.ts";
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
import type { StorePicture } from "./turn-files.ts";
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
  readonly known: ReadonlyMap<number, KnownStep>;
  /** The taint of what it has read. Everything that it reads from here on is added. */
  readonly taint: OpenTurnTaint;
  readonly labels: ResultLabels;
  readonly table: ToolTable;
  readonly calls: RunCalls;
  /** Measures the session. When absent, only `shrink` shortens it. */
  readonly length?: SessionLength;
}

/** The activation that runs. */
export interface RunTurn {
  readonly scope: FrameScope;
  /** The place whose trust levels apply. */
  readonly place: Place;
  readonly lease: Lease;
  readonly signal: AbortSignal;
  /** Resolves when the activation's beginning is on disk. */
  readonly durable: Promise<void>;
  /** Whether another activation requested this one. */
  readonly isChild: boolean;
  /** Whether it is a heartbeat, whose cost is also counted separately. */
  readonly isHeartbeat: boolean;
  /**
   * Whether a transient failure of the model ends this run as `retry`. Otherwise the activation
   * fails.
   */
  readonly mayRetry: boolean;
  /** Whether an empty answer is a failure of the model. */
  readonly isAnswerNeeded: boolean;
  /** How long its inmate may stay silent when the warden waits for it. */
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

/** The run's requests and reports to the warden. */
export interface RunCalls {
  /**
   * Includes messages that arrived meanwhile and that this activation also answers. Durable as this
   * step when it resolves. Empty if no message arrived.
   */
  readonly intake: (step: number) => Promise<readonly HeldMessage[]>;
  /**
   * Makes a call on the host. `remaining` is the number of calls that the activation has left.
   * Durable when it resolves, unless `signal` has aborted.
   */
  readonly onHost: (
    name: string,
    input: ToolCall["input"],
    at: { readonly step: number; readonly remaining: number },
  ) => Promise<LabelledOutcome>;
  /** Network access for a step that runs commands, or undefined. */
  readonly offerEgress: () => Promise<StepEgress | undefined>;
  /**
   * Returns a function that removes what was forgotten since the turn began, or undefined when
   * nothing was.
   */
  readonly redactions: () => ((text: string) => string) | undefined;
  /** Returns the request with less history, or undefined when nothing can be left out. */
  readonly shrink: (messages: ModelRequest["messages"]) => ModelRequest["messages"] | undefined;
  readonly storePicture: StorePicture;
  /** Reads a file of the turn for its model. */
  readonly readFile: ReadFile;
  /** Reads a document of the turn as text, for a model that does not take it. */
  readonly readText: ReadText;
  /** Stores labels of files. Durable when it resolves. */
  readonly keepLabels: (writes: readonly Write[]) => Promise<void>;
  readonly delta: (event: DeltaEvent) => void;
  readonly spent: (usage: Usage) => void;
}
