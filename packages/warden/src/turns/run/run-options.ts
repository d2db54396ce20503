/** What an activation runs with. */
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
  /** Where its levels count. */
  readonly place: Place;
  readonly input: ActivationInput;
  readonly model: { readonly provider: Provider; readonly model: string };
  /** Its name, `provider/model`, and those of the models that are asked in its place. */
  readonly models: readonly string[];
  readonly resolve: Catalog["resolve"];
  /** Whether a transient failure of the model ends this run as `retry`. Else the activation fails. */
  readonly mayRetry: boolean;
  /** Whether an empty answer is a failure of the model. */
  readonly isAnswerNeeded: boolean;
  /** Another activation asked for it. */
  readonly isChild: boolean;
  /** It was time to look, and what that costs is counted by itself too. */
  readonly isHeartbeat: boolean;
  readonly cellLease: CellLease;
  /** Resolves when the activation's beginning is on the disk. */
  readonly durable: Promise<void>;
  readonly table: ToolTable;
  readonly offerOf: (tool: string) => ToolOffer;
  /** What it has read; whatever it reads from here on comes into it. */
  readonly taint: OpenTurnTaint;
  readonly labels: ResultLabels;
  readonly known: ReadonlyMap<number, KnownStep>;
  /** How long its inmate may say nothing when it is its turn. */
  readonly silenceMs: number;
  readonly signal: AbortSignal;
  /** What people said meanwhile and this activation is to answer too: durable as this step when it resolves. Empty: nothing. */
  readonly intake: (step: number) => Promise<readonly HeldMessage[]>;
  /** Makes a call on the host, `remaining` of which the activation has left. Durable when it resolves, unless `signal` has aborted. */
  readonly onHost: (
    name: string,
    input: ToolCall["input"],
    at: { readonly step: number; readonly remaining: number },
  ) => Promise<LabelledOutcome>;
  /** What a step that runs commands reaches the network with. Undefined: there is no way. */
  readonly offerEgress: () => Promise<StepEgress | undefined>;
  /** How long the talk has become. Absent: nobody makes it shorter than `shrink` does. */
  readonly length?: SessionLength;
  /** What makes a text one without what was forgotten since the turn began; nothing where nothing was. */
  readonly redactions: () => ((text: string) => string) | undefined;
  /** The request with less of the past in it, or nothing if there is nothing to leave out. */
  readonly shrink: (messages: ModelRequest["messages"]) => ModelRequest["messages"] | undefined;
  readonly delta: (event: DeltaEvent) => void;
  readonly spent: (usage: Usage) => void;
}
