/**
 * Reviews changes to guarded files before they are made. A change that goes too far waits for a
 * person and halts the agent.
 */
import { writeJson, type Store, type Write, type Row } from "../../kernel/index.ts";
import { type AgentRecord, isTainted, type Label, OWNER_LABEL, type ProposalId, type World } from "@hearth/protocol";
import type { Bodies } from "./bodies.ts";
import type { ChangeAuthor } from "./brain.ts";
import { isGuarded, isSoul, excessiveChangeReason } from "./guard.ts";
import type { KnownFiles } from "./known-files.ts";
import { decodeText } from "./lines.ts";
import type { Edit } from "./recorder.ts";

export interface Guard {
  /** Stops the agent until `release`. The stop is in force when this returns. */
  halt(agent: AgentRecord): void;
  /** Lets the agent continue, unless another stop is in force. */
  release(agent: AgentRecord): Promise<void>;
}

export interface ReviewResult {
  readonly writes: readonly Write[];
  readonly halts: boolean;
  /** Whether no halting proposal is left, so that the agent may continue. */
  readonly releases?: boolean;
}

export interface GuardReview {
  /** Returns the proposal if this change must wait for a person, or undefined if it may be made. */
  reviewEdit(edit: Edit, by: ChangeAuthor): Promise<(ReviewResult & { readonly proposal: ProposalId }) | undefined>;
  /**
   * Reviews edits already on disk. Proposes those that go too far, and closes proposals whose
   * edit is no longer on disk.
   */
  reviewManualEdits(edits: readonly Edit[]): Promise<ReviewResult>;
  /** Applies the halt or the release. The caller does this once the writes are durable. */
  applyHalt(result: ReviewResult): Promise<void>;
}

const TAINTED_REASON = "It was written in a turn that held a stranger's text.";

export const createGuardReview = (options: {
  readonly agent: AgentRecord;
  readonly world: Pick<World, "clock" | "ids">;
  readonly store: Pick<Store, "select">;
  readonly files: KnownFiles;
  readonly bodies: Bodies;
  readonly guard: Guard;
}): GuardReview => {
  const { agent, world, store, files, bodies, guard } = options;
  const textOf = (bytes: Uint8Array | undefined): string | undefined =>
    bytes === undefined ? undefined : (decodeText(bytes) ?? "");

  /** During its first run, a new agent writes its own persona and then deletes the first-run page. */
  const isFirstRunEdit = (path: string): boolean =>
    files.get("BOOTSTRAP.md")?.hash !== undefined && files.get("BOOTSTRAP.md")?.hash !== null && path === "IDENTITY.md";

  const findHaltReason = async ({ path, after }: Edit): Promise<string | undefined> => {
    if (!isSoul(path) || (path === "BOOTSTRAP.md" && after === undefined)) return undefined;
    const approvedText = textOf(await bodies.readOf(files.get(path)?.approved ?? null));
    return excessiveChangeReason(approvedText, textOf(after), { isFirstRun: isFirstRunEdit(path) });
  };

  const rowOf = (
    { path, after }: Edit,
    fields: Pick<Row<"brain_proposals">, "activation" | "before" | "why" | "halts"> & { readonly label: Label },
  ): Row<"brain_proposals"> => {
    const { label, ...columns } = fields;
    return {
      id: world.ids.fresh("prop"),
      house: agent.house,
      agent: agent.id,
      path,
      ...columns,
      after: after === undefined ? null : bodies.hashOf(after),
      labels: writeJson(label),
      state: "pending",
      at: world.clock.now(),
      by: null,
      reason: null,
      decided_at: null,
    };
  };

  return {
    async reviewEdit(edit, by) {
      if (by.activation === undefined || !isGuarded(edit.path)) return undefined;
      const haltingReason = await findHaltReason(edit);
      const why = [
        ...(isTainted(by.label) ? [TAINTED_REASON] : []),
        ...(haltingReason === undefined ? [] : [haltingReason]),
      ];
      if (why.length === 0) return undefined;
      // A change that untrusted text may have caused is proposed and does not halt the agent,
      // because the agent did not decide it.
      const halts = haltingReason !== undefined && !isTainted(by.label);
      const row = rowOf(edit, {
        activation: by.activation,
        before: files.get(edit.path)?.hash ?? null,
        why: why.join(" "),
        halts: halts ? 1 : 0,
        label: by.label,
      });
      const writes: Write[] = [{ kind: "insert", table: "brain_proposals", row }];
      if (edit.after !== undefined) writes.push(...(await bodies.plan(edit.after, files.get(edit.path)?.hash)));
      return { writes, halts, proposal: row.id };
    },
    async reviewManualEdits(edits) {
      const soulEdits = edits.filter(({ path }) => isSoul(path));
      if (soulEdits.length === 0) return { writes: [], halts: false };
      const where = { agent: agent.id, state: "pending" } as const;
      const pendingProposals = await store.select({ table: "brain_proposals", where });
      // An edit that is no longer on disk needs no decision.
      const outdatedProposals = pendingProposals.filter(
        ({ path, after }) => soulEdits.some((edit) => edit.path === path) && after === (files.get(path)?.hash ?? null),
      );
      const writes: Write[] = outdatedProposals.map(({ id }) => ({
        kind: "update",
        table: "brain_proposals",
        where: { id },
        set: { state: "denied", reason: "It was edited again.", decided_at: world.clock.now() },
      }));
      let shouldHalt = false;
      for (const edit of soulEdits) {
        const why = await findHaltReason(edit);
        if (why === undefined) continue;
        shouldHalt = true;
        const approvedHash = files.get(edit.path)?.approved ?? null;
        const row = rowOf(edit, {
          activation: null,
          before: approvedHash,
          why: `It was edited by hand. ${why}`,
          halts: 1,
          label: OWNER_LABEL,
        });
        writes.push({ kind: "insert", table: "brain_proposals", row });
      }
      const remainingProposals = pendingProposals.filter((row) => row.halts === 1 && !outdatedProposals.includes(row));
      return {
        writes,
        halts: shouldHalt,
        releases: !shouldHalt && outdatedProposals.some((row) => row.halts === 1) && remainingProposals.length === 0,
      };
    },
    async applyHalt({ halts, releases }) {
      if (halts) guard.halt(agent);
      else if (releases === true) await guard.release(agent);
    },
  };
};
