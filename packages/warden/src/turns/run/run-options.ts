/** The options of an activation run. */
import type { CellLease } from "../../cells/index.ts";
import type { HeldMessage } from "../../agents/index.ts";
import type { Journal, KnownStep, Lease } from "../../kernel/index.ts";
import type { ChokePoint, OpenTurnTaint } from "../../policy/index.ts";
import type { Catalog, Provider } from "../../models/index.ts";
import type {
  ActivationInput,
  DeltaEvent,
  FrameScope,
  ModelRequest,
  Place,
  StepEgress,
  ToolCall,
  ToolOffer,
  Usage,
  World,
} from "@hearth/protocol";
import type { ToolTable } from "@hearth/protocol/tools";
import type { SessionLength } from "../compaction/compaction-turn.ts";
import type { LabelledOutcome } from "./host-steps.ts";
import type { ResultLabels } from "./result-labels.ts";

export interface RunOptions {
  readonly world: World;
  readonly journal: Journal;
  readonly lease: Lease;
  readonly chokePoint: ChokePoint;
  readonly scope: FrameScope;
  /** The place whose trust levels apply. */
  readonly place: Place;
  readonly input: ActivationInput;
  readonly model: { readonly provider: Provider; readonly model: string };
  /** Its name as `provider/model`, and the names of the models that replace it. */
  readonly models: readonly string[];
  readonly resolve: Catalog["resolve"];
  /**
   * Whether a transient failure of the model ends this run as `retry`. Otherwise the activation
   * fails.
   */
  readonly mayRetry: boolean;
  /** Whether an empty answer is a failure of the model. */
  readonly isAnswerNeeded: boolean;
  /** Whether another activation requested this one. */
  readonly isChild: boolean;
  /** Whether it is a heartbeat, whose cost is also counted separately. */
  readonly isHeartbeat: boolean;
  readonly cellLease: CellLease;
  /** Resolves when the activation's beginning is on disk. */
  readonly durable: Promise<void>;
  readonly table: ToolTable;
  readonly offerOf: (tool: string) => ToolOffer;
  /** The taint of what it has read. Everything that it reads from here on is added. */
  readonly taint: OpenTurnTaint;
  readonly labels: ResultLabels;
  readonly known: ReadonlyMap<number, KnownStep>;
  /** How long its inmate may stay silent when the warden waits for it. */
  readonly silenceMs: number;
  readonly signal: AbortSignal;
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
  /** Measures the session. When absent, only `shrink` shortens it. */
  readonly length?: SessionLength;
  /**
   * Returns a function that removes what was forgotten since the turn began, or undefined when
   * nothing was.
   */
  readonly redactions: () => ((text: string) => string) | undefined;
  /** Returns the request with less history, or undefined when nothing can be left out. */
  readonly shrink: (messages: ModelRequest["messages"]) => ModelRequest["messages"] | undefined;
  readonly delta: (event: DeltaEvent) => void;
  readonly spent: (usage: Usage) => void;
}
