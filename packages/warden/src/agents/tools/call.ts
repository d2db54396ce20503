/** The context of a tool call on the host. */
import { writeLabel, type Lease, type Row, type Json } from "../../kernel/index.ts";
import { type AgentRecord, type Audience, type Label, OWNER_LABEL } from "@hearth/protocol";

/** One call with its context. The input comes from the cell, and the warden provides the rest. */
export interface HostCall {
  readonly activation: Row<"activations">;
  readonly agent: AgentRecord;
  /** The audience of the turn. */
  readonly audience: Audience;
  readonly lease: Lease;
  readonly step: number;
  /**
   * The joined label of everything that the activation has read. It applies to all text that the
   * call writes. It is undefined if there is no restriction.
   */
  readonly label: Label | undefined;
  /**
   * Prepares text for people and other rooms. If the turn has read untrusted text, links are
   * disabled.
   */
  readonly toOutgoing: (text: string) => string;
  /**
   * Prepares text for another agent: only removes secrets. The text keeps its label, which
   * restricts the reader.
   */
  readonly toInternal: (text: string) => string;
  /**
   * The part of the workspace that the turn's cell sees, relative to the workspace. "" for all of
   * it.
   */
  readonly workspaceRoot: string;
  /**
   * The label of the result if the tool returns no label. It follows from the tool's declaration,
   * and from the workspace files that the call names.
   */
  readonly resultLabel: Label;
  /** The tools that the activation was granted. */
  readonly granted: readonly string[];
  /** Number of tool calls that the activation may make after this one. */
  readonly remaining: number;
  /** Aborts when a person stops the call. Its result is then discarded. */
  readonly signal: AbortSignal;
}

/** Returns the call's label in the form of a row. */
export const labelsOf = ({ label }: Pick<HostCall, "label">): Json<Label> | null => writeLabel(label);

/**
 * The label of text that an agent makes with the house's tools. The text is trusted, but does not
 * have the owner's authority.
 */
export const TRUSTED_LABEL: Label = { ...OWNER_LABEL, integrity: "trusted" };
