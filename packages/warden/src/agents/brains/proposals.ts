/**
 * Proposals are changes of guarded files that wait for a person. A person sees the exact change and
 * decides once.
 */
import { readLabel, type Store, type Write, type Row, type DurableStreams } from "../../kernel/index.ts";
import {
  type AgentRecord,
  HearthError,
  OWNER_LABEL,
  type Proposal,
  type ProposalId,
  type World,
} from "@hearth/protocol";
import type { Bodies } from "./bodies.ts";
import type { Brain } from "./brain.ts";
import { showDiff } from "./diff.ts";
import type { Guard } from "./guard-review.ts";
import type { KnownFiles } from "./known-files.ts";
import { decodeText, splitLines } from "./lines.ts";
import type { LiveBrain } from "./live-brain.ts";
import { rebaseProposal } from "./rebase.ts";
import type { Recorder } from "./recorder.ts";

type ProposalRow = Row<"brain_proposals">;
type Content = Uint8Array | undefined;

/** The effect that an approval would have on the current file. */
type Applicability =
  /** The file already has this content. */
  | { readonly kind: "made" }
  | { readonly kind: "fits"; readonly before: Content; readonly after: Content }
  | { readonly kind: "stale"; readonly why: string };

const encoder = new TextEncoder();

export const createProposals = (options: {
  readonly agent: AgentRecord;
  readonly world: Pick<World, "clock">;
  readonly store: Store;
  readonly streams: Pick<DurableStreams, "commit">;
  readonly files: KnownFiles;
  readonly bodies: Bodies;
  readonly live: LiveBrain;
  readonly recorder: Recorder;
  readonly guard: Guard;
}): Pick<Brain, "proposals" | "decide"> => {
  const { agent, world, store, streams, files, bodies, live, recorder, guard } = options;

  const checkApplicability = async ({ path, before, after }: ProposalRow): Promise<Applicability> => {
    const currentHash = files.get(path)?.hash ?? null;
    if (currentHash === after) return { kind: "made" };
    const [oldBytes, proposedBytes, currentBytes] = await Promise.all(
      [before, after, currentHash].map((hash) => bodies.readOf(hash)),
    );
    if (currentHash === before) return { kind: "fits", before: currentBytes, after: proposedBytes };
    // Approving this proposal would also approve the edit by hand.
    const manualEdit = { agent: agent.id, path, state: "pending", activation: null, after: currentHash } as const;
    if ((await store.select({ table: "brain_proposals", where: manualEdit, limit: 1 })).length > 0)
      return {
        kind: "stale",
        why: `${path} was edited on disk later, and that edit waits for a decision. Decide on that edit first.`,
      };
    const isRemoved = currentBytes === undefined && oldBytes !== undefined;
    if (isRemoved || proposedBytes === undefined)
      return { kind: "stale", why: `${path} ${isRemoved ? "was removed" : "was changed"} after this proposal.` };
    const [base, proposedText, text] = [oldBytes, proposedBytes, currentBytes].map((bytes) =>
      bytes === undefined ? "" : decodeText(bytes),
    );
    if (base === undefined || proposedText === undefined || text === undefined)
      return { kind: "stale", why: `${path} was changed after this proposal.` };
    const merged = rebaseProposal(path, base, proposedText, text);
    if (merged === undefined)
      return { kind: "stale", why: `${path} was changed at the same lines after this proposal.` };
    return merged === text ? { kind: "made" } : { kind: "fits", before: currentBytes, after: encoder.encode(merged) };
  };

  /**
   * Shows a pending proposal as an approval would apply it now, and a decided one as it was
   * proposed or applied.
   */
  const toProposal = async (row: ProposalRow): Promise<Proposal> => {
    const applicability = row.state === "pending" ? await checkApplicability(row) : undefined;
    const contents =
      applicability?.kind === "fits"
        ? [applicability.before, applicability.after]
        : await Promise.all([bodies.readOf(row.before), bodies.readOf(row.after)]);
    const [before, after] = contents.map((bytes) => (bytes === undefined ? "" : decodeText(bytes)));
    const isText = before !== undefined && after !== undefined;
    const diff = isText ? escapeMisleading(showDiff(splitLines(before), splitLines(after))) : "It is not text.\n";
    return withDiff(row, diff, applicability?.kind === "stale" ? applicability.why : undefined);
  };

  const byId = async (id: ProposalId): Promise<ProposalRow> => {
    const [row] = await store.select({ table: "brain_proposals", where: { id, agent: agent.id } });
    if (row !== undefined) return row;
    throw new HearthError("proposal.not-found", `This brain has no proposal ${id}.`, {
      hint: "List them: hearth brain proposals AGENT",
    });
  };

  /** Returns the file's content after this decision, or undefined if it does not change. */
  const changeFor = async (row: ProposalRow, isApproved: boolean): Promise<{ readonly after: Content } | undefined> => {
    const effect = await checkApplicability(row);
    if (!isApproved) {
      // A turn did not write the change that it proposed, so equal content on disk came from
      // elsewhere.
      const isOnDisk = effect.kind === "made" && row.activation === null;
      return isOnDisk ? { after: await bodies.readOf(row.before) } : undefined;
    }
    if (effect.kind === "made") return undefined;
    if (effect.kind === "fits") return { after: effect.after };
    throw new HearthError("brain.changed", `The proposal no longer applies. Nothing was changed. ${effect.why}`, {
      hint: "Deny the proposal. The agent can propose the change again.",
    });
  };

  /** Approves content already on disk. The guard then compares later changes with it. */
  const planApproved = (path: string): Write | undefined => {
    const file = files.get(path);
    if (file === undefined || file.approved === file.hash) return undefined;
    const approvedFile = { ...file, approved: file.hash };
    files.set(path, approvedFile);
    return files.plan(path, approvedFile);
  };

  return {
    async proposals({ state }) {
      await live.serialize(live.scan);
      const rows = await store.select({
        table: "brain_proposals",
        where: { agent: agent.id, ...(state === undefined ? {} : { state }) },
        order: [
          { column: "at", descending: true },
          { column: "id", descending: true },
        ],
      });
      return Promise.all(rows.map(toProposal));
    },

    decide: (id, { decision, reason }, by) =>
      live.serialize(async () => {
        const proposal = await byId(id);
        await live.refresh(proposal.path);
        const row = await byId(id);
        if (row.state !== "pending")
          throw new HearthError("proposal.over", `The proposal is already ${row.state}. Nothing has changed.`, {
            hint: "List pending proposals: hearth brain proposals AGENT --state pending",
          });
        const isApproval = decision === "approve";
        const change = await changeFor(row, isApproval);
        // The proposal then shows the change as it was applied.
        const appliedHashes =
          change === undefined || !isApproval
            ? {}
            : {
                before: files.get(row.path)?.hash ?? null,
                after: change.after === undefined ? null : bodies.hashOf(change.after),
              };
        const decisionWrite: Write = {
          kind: "update",
          table: "brain_proposals",
          where: { id, house: row.house },
          set: {
            state: isApproval ? "approved" : "denied",
            by,
            reason: reason ?? null,
            decided_at: world.clock.now(),
            ...appliedHashes,
          },
        };
        if (change === undefined) {
          const approved = isApproval ? planApproved(row.path) : undefined;
          await streams.commit({ writes: [decisionWrite, ...(approved === undefined ? [] : [approved])] });
        } else {
          const edits = [{ path: row.path, after: change.after }];
          await recorder.record({
            kind: "write",
            by,
            edits,
            isApproved: true,
            isTrusted: isApproval,
            label: OWNER_LABEL,
            writes: [decisionWrite],
            note: `${isApproval ? "approves" : "denies"} ${id}`,
          });
        }
        const pendingHalts = { agent: agent.id, state: "pending", halts: 1 } as const;
        if (
          row.halts === 1 &&
          (await store.select({ table: "brain_proposals", where: pendingHalts, limit: 1 })).length === 0
        )
          await guard.release(agent);
        return toProposal(await byId(id));
      }),
  };
};

/** Matches characters that hide, reorder or replace other text, except line endings and tabs. */
const MISLEADING_CHARACTERS = /[^\P{C}\n\t]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]/gu;

const escapeMisleading = (diff: string): string =>
  diff.replace(
    MISLEADING_CHARACTERS,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`,
  );

const withDiff = (row: ProposalRow, diff: string, stale: string | undefined): Proposal => ({
  id: row.id,
  house: row.house,
  agent: row.agent,
  path: row.path,
  ...(row.activation === null ? {} : { activation: row.activation }),
  why: row.why,
  halts: row.halts === 1,
  label: readLabel(row.labels) ?? OWNER_LABEL,
  diff,
  state: row.state,
  at: row.at,
  ...(row.by === null ? {} : { by: row.by }),
  ...(row.reason === null ? {} : { reason: row.reason }),
  ...(row.decided_at === null ? {} : { decidedAt: row.decided_at }),
  ...(stale === undefined ? {} : { stale }),
});
