/** A tool call on the host. */
import { writeLabel, type Lease, type Row } from "../../kernel/index.ts";
import { type AgentRecord, type Audience, type Label, OWN } from "@hearth/protocol";

/** One call, by whom and within what. The warden says so; nothing of it comes from the cell but the input. */
export interface HostCall {
  readonly activation: Row<"activations">;
  readonly agent: AgentRecord;
  /** Whose eyes the turn is for. */
  readonly audience: Audience;
  readonly lease: Lease;
  readonly step: number;
  /** Of all that the activation has read: it goes along with what the call writes. Undefined: nothing that has to be said. */
  readonly label: Label | undefined;
  /** What it says to whoever it is, as it may be said: of a turn that read strangers' words nothing in it leads anywhere. */
  readonly outgoing: (text: string) => string;
  /** What it says to another agent: as it is, but for secrets. Its label goes along, and binds whoever reads it. */
  readonly inside: (text: string) => string;
  /** Tools that the activation was given. */
  readonly granted: readonly string[];
  /** Tool calls that it may make after this one. */
  readonly remaining: number;
  /** Somebody said stop: whatever comes back is not kept. */
  readonly signal: AbortSignal;
}

/** As a row keeps it. */
export const labelsOf = ({ label }: Pick<HostCall, "label">): string | null => writeLabel(label);

/** What an agent makes by the house's own means: it may be acted on, but nobody who decides wrote it. */
export const MADE: Label = { ...OWN, integrity: "trusted" };
