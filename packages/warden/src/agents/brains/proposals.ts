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
type Fit =
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

  const fitOf = async ({ path, before, after }: ProposalRow): Promise<Fit> => {
    const now = files.get(path)?.hash ?? null;
    if (now === after) return { kind: "made" };
    const [old, fresh, there] = await Promise.all([before, after, now].map((hash) => bodies.readOf(hash)));
    if (now === before) return { kind: "fits", before: there, after: fresh };
    // Approving this proposal would also approve the edit by hand.
    const byHand = { agent: agent.id, path, state: "pending", activation: null, after: now } as const;
    if ((await store.select({ table: "brain_proposals", where: byHand, limit: 1 })).length > 0)
      return {
        kind: "stale",
        why: `${path} was edited on disk later, and that edit waits for a decision. Decide on that edit first.`,
      };
    const isRemoved = there === undefined && old !== undefined;
    if (isRemoved || fresh === undefined)
      return { kind: "stale", why: `${path} ${isRemoved ? "was removed" : "was changed"} after this proposal.` };
    const [base, meant, text] = [old, fresh, there].map((bytes) => (bytes === undefined ? "" : decodeText(bytes)));
    if (base === undefined || meant === undefined || text === undefined)
      return { kind: "stale", why: `${path} was changed after this proposal.` };
    const merged = rebaseProposal(path, base, meant, text);
    if (merged === undefined)
      return { kind: "stale", why: `${path} was changed at the same lines after this proposal.` };
    return merged === text ? { kind: "made" } : { kind: "fits", before: there, after: encoder.encode(merged) };
  };

  /**
   * Shows a pending proposal as an approval would apply it now, and a decided one as it was
   * proposed or applied.
   */
  const toProposal = async (row: ProposalRow): Promise<Proposal> => {
    const fit = row.state === "pending" ? await fitOf(row) : undefined;
    const sides =
      fit?.kind === "fits"
        ? [fit.before, fit.after]
        : await Promise.all([bodies.readOf(row.before), bodies.readOf(row.after)]);
    const [before, after] = sides.map((bytes) => (bytes === undefined ? "" : decodeText(bytes)));
    const isText = before !== undefined && after !== undefined;
    const diff = isText ? plain(showDiff(splitLines(before), splitLines(after))) : "It is not text.\n";
    return withDiff(row, diff, fit?.kind === "stale" ? fit.why : undefined);
  };

  const byId = async (id: ProposalId): Promise<ProposalRow> => {
    const [row] = await store.select({ table: "brain_proposals", where: { id, agent: agent.id } });
    if (row !== undefined) return row;
    throw new HearthError("proposal.not-found", `This brain has no proposal ${id}.`, {
      hint: "List them: hearth brain proposals AGENT",
    });
  };

  /** Returns the file's content after this decision, or undefined if it does not change. */
  const changeFor = async (row: ProposalRow, isYes: boolean): Promise<{ readonly after: Content } | undefined> => {
    const fit = await fitOf(row);
    if (!isYes) {
      // A turn did not write the change that it proposed, so equal content on disk came from
      // elsewhere.
      const isOnDisk = fit.kind === "made" && row.activation === null;
      return isOnDisk ? { after: await bodies.readOf(row.before) } : undefined;
    }
    if (fit.kind !== "stale") return fit.kind === "made" ? undefined : { after: fit.after };
    throw new HearthError("brain.changed", `The proposal no longer applies. Nothing was changed. ${fit.why}`, {
      hint: "Deny the proposal. The agent can propose the change again.",
    });
  };

  /** Approves content already on disk. The guard then compares later changes with it. */
  const planApproved = (path: string): Write | undefined => {
    const known = files.get(path);
    if (known === undefined || known.approved === known.hash) return undefined;
    const approved = { ...known, approved: known.hash };
    files.set(path, approved);
    return files.plan(path, approved);
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
        const isYes = decision === "approve";
        const change = await changeFor(row, isYes);
        // The proposal then shows the change as it was applied.
        const made =
          change === undefined || !isYes
            ? {}
            : {
                before: files.get(row.path)?.hash ?? null,
                after: change.after === undefined ? null : bodies.hashOf(change.after),
              };
        const end: Write = {
          kind: "update",
          table: "brain_proposals",
          where: { id, house: row.house },
          set: {
            state: isYes ? "approved" : "denied",
            by,
            reason: reason ?? null,
            decided_at: world.clock.now(),
            ...made,
          },
        };
        if (change === undefined) {
          const approved = isYes ? planApproved(row.path) : undefined;
          await streams.commit({ writes: [end, ...(approved === undefined ? [] : [approved])] });
        } else {
          const edits = [{ path: row.path, after: change.after }];
          await recorder.record({
            kind: "write",
            by,
            edits,
            isApproved: true,
            isTrusted: isYes,
            label: OWNER_LABEL,
            writes: [end],
            note: `${isYes ? "approves" : "denies"} ${id}`,
          });
        }
        const halting = { agent: agent.id, state: "pending", halts: 1 } as const;
        if (
          row.halts === 1 &&
          (await store.select({ table: "brain_proposals", where: halting, limit: 1 })).length === 0
        )
          await guard.release(agent);
        return toProposal(await byId(id));
      }),
  };
};

/** Matches characters that hide, reorder or replace other text, except line endings and tabs. */
const MISLEADING_CHARACTERS = /[^\P{C}\n\t]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]/gu;

const plain = (diff: string): string =>
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
