/**
 * The tables of brains: the known state of each file, its versions, the authors of its lines, and
 * pending proposals.
 */
import type {
  ActivationId,
  AgentId,
  BrainChangeKind,
  ChangeId,
  HouseId,
  Label,
  ProposalId,
  ProposalState,
} from "@hearth/protocol";
import { flag, integer, json, nullable, table, text } from "./table.ts";

export const brainTables = {
  /** The last known state of files. */
  brain_files: table({
    columns: {
      agent: text<AgentId>(),
      path: text(),
      /** SHA-256 of the expected content. Null: the file is deleted. */
      hash: nullable(text()),
      size: integer(),
      /** The stamp of the file on disk; "" for none. */
      stamp: text(),
      /**
       * 1: that file has `hash`. 0: it is the previous one, and the new content may not have reached
       * the disk.
       */
      settled: flag(),
      /**
       * For a guarded file: the content that a person last approved. Null: that it does not exist.
       */
      approved: nullable(text()),
    },
    key: ["agent", "path"],
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
  }),
  /** The versions of each file, in the order of the brain. */
  brain_versions: table({
    columns: {
      agent: text<AgentId>(),
      /** Increases by one within a brain. */
      place: integer(),
      /** Shared by files that changed together. */
      change: text<ChangeId>(),
      kind: text<BrainChangeKind>(),
      at: integer(),
      /** Null: edited on disk. */
      by: nullable(text<AgentId>()),
      activation: nullable(text<ActivationId>()),
      path: text(),
      before: nullable(text()),
      after: nullable(text()),
      /** 1: a part of it has been erased. */
      erased: flag(),
      note: nullable(text()),
    },
    key: ["agent", "place"],
    indexes: {
      brain_versions_change: { on: ["change"] },
      brain_versions_path: { on: ["agent", "path"] },
      brain_versions_activation: { on: ["activation"], where: { column: "activation", is: "not null" } },
    },
    owner: { by: "agent", column: "agent" },
    growsWith: "use",
  }),
  /** Contents of versions and proposals, by the SHA-256 of their bytes. */
  brain_bodies: table({
    columns: {
      agent: text<AgentId>(),
      hash: text(),
      /** Null: stored as the blob of this hash. */
      text: nullable(text()),
    },
    key: ["agent", "hash"],
    indexes: {
      brain_bodies_blob: { on: ["hash"], where: { column: "text", is: "null" } },
    },
    blob: { column: "hash", ifNull: "text" },
    owner: { by: "agent", column: "agent" },
    growsWith: "use",
  }),
  /** Lines that were not written by the owner. */
  brain_lines: table({
    columns: {
      agent: text<AgentId>(),
      path: text(),
      /** SHA-256 of the trimmed line. */
      line: text(),
      labels: json<Label>(),
      activation: nullable(text<ActivationId>()),
      at: integer(),
    },
    key: ["agent", "path", "line"],
    owner: { by: "agent", column: "agent" },
    growsWith: "use",
  }),
  /** Changes of guarded files that need a person's decision. */
  brain_proposals: table({
    columns: {
      id: text<ProposalId>(),
      house: text<HouseId>(),
      agent: text<AgentId>(),
      activation: nullable(text<ActivationId>()),
      path: text(),
      /** The content before and after. Null: the file does not exist. */
      before: nullable(text()),
      after: nullable(text()),
      why: text(),
      /** 1: the agent is blocked until it is decided. */
      halts: flag(),
      labels: json<Label>(),
      state: text<ProposalState>(),
      at: integer(),
      by: nullable(text<AgentId>()),
      reason: nullable(text()),
      decided_at: nullable(integer()),
    },
    key: ["id"],
    indexes: {
      brain_proposals_agent: {
        on: ["agent"],
        fewRows: "A person decides each proposal of an agent, and is asked rarely.",
      },
      brain_proposals_pending: {
        on: ["agent"],
        where: { column: "state", is: "=", value: "pending" },
        fewRows: "Proposals that wait for a person.",
      },
    },
    owner: { by: "house", column: "house" },
    growsWith: "use",
  }),
};
