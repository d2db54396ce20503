/** A tool call on the host. */
import { writeLabel, type Lease, type Row, type Json } from "../../kernel/index.ts";
import { type AgentRecord, type Audience, type Label, OWN } from "@hearth/protocol";

/**
 * One call with its context. The warden provides everything except the input, which comes from the
 * cell.
 */
export interface HostCall {
  readonly activation: Row<"activations">;
  readonly agent: AgentRecord;
  /** Audience of the turn. */
  readonly audience: Audience;
  readonly lease: Lease;
  readonly step: number;
  /**
   * Joined label of all that the activation has read; applies to what the call writes. Undefined:
   * no restriction.
   */
  readonly label: Label | undefined;
  /** Prepares text for others. If the turn has read untrusted text, links are disabled. */
  readonly outgoing: (text: string) => string;
  /**
   * Prepares text for another agent: removes secrets only. Its label goes with it and binds the
   * reader.
   */
  readonly inside: (text: string) => string;
  /** The part of the workspace that the turn's cell sees, relative to the workspace. "": all of it. */
  readonly workspaceRoot: string;
  /**
   * Label of the result, if the tool returns none: by its declaration, and by the workspace files
   * that the call names.
   */
  readonly resultLabel: Label;
  /** Tools that the activation was granted. */
  readonly granted: readonly string[];
  /** Tool calls left after this one. */
  readonly remaining: number;
  /** Aborts when a person stops it; the result is then dropped. */
  readonly signal: AbortSignal;
}

/** In the form of a row. */
export const labelsOf = ({ label }: Pick<HostCall, "label">): Json<Label> | null => writeLabel(label);

/** Label of text that an agent makes with the house's tools: trusted, but not the owner's. */
export const TRUSTED_LABEL: Label = { ...OWN, integrity: "trusted" };
