/** What waits for a person's word about what an agent is or obeys: shown exactly, decided once. */
import {
  type ActivationId,
  type AgentId,
  type AgentRecord,
  HearthError,
  type HouseId,
  OWN,
  type Proposal,
  type ProposalId,
  type ProposalState,
  type World,
} from "@hearth/protocol";
import { readLabel } from "../store/labels.ts";
import type { Store, Write } from "../store/store.ts";
import type { Row } from "../store/tables.ts";
import type { DurableStreams } from "../streams/streams.ts";
import type { Bodies } from "./bodies.ts";
import type { Brain } from "./brain.ts";
import { showDiff } from "./diff.ts";
import type { Guard } from "./guard-desk.ts";
import type { KnownFiles } from "./known-files.ts";
import { decodeText, splitLines } from "./lines.ts";
import type { LiveBrain } from "./live-brain.ts";
import type { Edit, Recorder } from "./recorder.ts";

type ProposalRow = Row<"brain_proposals">;

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

  const toProposal = async (row: ProposalRow): Promise<Proposal> => {
    const sides = await Promise.all([bodies.readOf(row.before), bodies.readOf(row.after)]);
    const [before, after] = sides.map((bytes) => (bytes === undefined ? "" : decodeText(bytes)));
    const isText = before !== undefined && after !== undefined;
    return {
      ...{ id: row.id as ProposalId, house: row.house as HouseId, agent: row.agent as AgentId, path: row.path },
      ...(row.activation === null ? {} : { activation: row.activation as ActivationId }),
      ...{ why: row.why, halts: row.halts === 1, label: readLabel(row.labels) ?? OWN },
      diff: isText ? plain(showDiff(splitLines(before), splitLines(after))) : "It is no text.\n",
      ...{ state: row.state as ProposalState, at: row.at },
      ...(row.by === null ? {} : { by: row.by as AgentId }),
      ...(row.reason === null ? {} : { reason: row.reason }),
      ...(row.decided_at === null ? {} : { decidedAt: row.decided_at }),
    };
  };

  const byId = async (id: ProposalId): Promise<ProposalRow> => {
    const [row] = await store.select({ table: "brain_proposals", where: { id, agent: agent.id } });
    if (row !== undefined) return row;
    throw new HearthError("proposal.not-found", `There is no proposal ${id} about this brain.`, {
      hint: "List them: hearth brain proposals AGENT",
    });
  };

  /** What is to be done to the file for this word. `undefined`: nothing. */
  const editFor = async (row: ProposalRow, isYes: boolean): Promise<Edit | undefined> => {
    const { path, before, after } = row;
    const now = files.get(path)?.hash ?? null;
    if (now === after) return isYes ? undefined : { path, after: await bodies.readOf(before) };
    if (!isYes) return undefined;
    if (now === before) return { path, after: await bodies.readOf(after) };
    throw new HearthError("brain.changed", `${path} is not what it was when this was proposed: nothing was changed.`, {
      hint: "Deny it, and let the agent propose it anew.",
    });
  };

  /** A yes to what is on the disk already: from here on the guard compares with it. */
  const planApproved = (path: string): Write | undefined => {
    const known = files.get(path);
    if (known === undefined || known.approved === known.hash) return undefined;
    const approved = { ...known, approved: known.hash };
    files.set(path, approved);
    return files.plan(path, approved);
  };

  return {
    async proposals({ state }) {
      await live.alone(live.scan);
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
      live.alone(async () => {
        const asked = await byId(id);
        await live.refresh(asked.path);
        const row = await byId(id);
        if (row.state !== "pending")
          throw new HearthError("proposal.over", `It is ${row.state} already, and nothing has changed.`, {
            hint: "What waits: hearth brain proposals AGENT --state pending",
          });
        const isYes = decision === "approve";
        const edit = await editFor(row, isYes);
        const end: Write = {
          ...{ kind: "update", table: "brain_proposals", where: { id, house: row.house } },
          set: {
            ...{ state: isYes ? "approved" : "denied", by, reason: reason ?? null, decided_at: world.clock.now() },
          },
        };
        if (edit === undefined) {
          const approved = isYes ? planApproved(row.path) : undefined;
          await streams.commit({ writes: [end, ...(approved === undefined ? [] : [approved])] });
        } else {
          const change = { kind: "write", by, edits: [edit], isApproved: true, isTrusted: isYes } as const;
          await recorder.record({
            ...change,
            label: OWN,
            writes: [end],
            note: `${isYes ? "approves" : "denies"} ${id}`,
          });
        }
        const halting = { agent: agent.id, state: "pending", halts: 1 };
        if (
          row.halts === 1 &&
          (await store.select({ table: "brain_proposals", where: halting, limit: 1 })).length === 0
        )
          await guard.release(agent);
        return toProposal(await byId(id));
      }),
  };
};

/** What hides, moves or turns other text, but the ends of lines and tabs. */
const UNSEEN = /[^\P{C}\n\t]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]/gu;

const plain = (diff: string): string =>
  diff.replace(UNSEEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`);
