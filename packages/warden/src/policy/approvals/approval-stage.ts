/**
 * The approval stage. A call that needs approval, by an earlier stage or the agent's mode, runs if
 * a person has approved exactly this call, and waits otherwise. The commit that begins the call
 * uses up the approval.
 */
import type { Records } from "../../people/index.ts";
import { unpackBody, type Blobs, type Store, type Row } from "../../kernel/index.ts";
import { type ActivationId, type AgentRecord, HearthError, isHearthError, type World } from "@hearth/protocol";
import { findTool, type ToolDeclaration, type ToolTable } from "@hearth/protocol/tools";
import { z } from "zod";
import {
  type ApprovableEffect,
  boundFields,
  canonicalJson,
  type Fields,
  freezeCall,
  isWithin,
  type NamedFile,
} from "./frozen-call.ts";
import { type ApprovalOffers, offersFor, offersForModel } from "./approval-offers.ts";
import type { Approvals } from "./approvals.ts";
import { displayCall, displayValue, type Redact } from "../text/display.ts";
import { type Ask, ALLOWED, type Stage } from "../effect.ts";
import { judgeMode, UNATTENDED } from "../modes.ts";
import { commandOf, namesFile } from "../taint/named-files.ts";

export interface ApprovalStageOptions {
  readonly world: Pick<World, "hash" | "clock">;
  readonly store: Pick<Store, "select">;
  readonly blobs: Pick<Blobs, "get">;
  readonly records: Pick<Records, "get">;
  readonly table: ToolTable;
  readonly isIsolated: (agent: AgentRecord) => Promise<boolean>;
  readonly approvals: Pick<Approvals, "find" | "planRequest" | "use" | "expire" | "rulesFor">;
  readonly redact: Redact;
  /** Returns the contents of the workspace files that `isNamed` selects. */
  readonly pinNamedFiles: (agent: AgentRecord, isNamed: (path: string) => boolean) => Promise<readonly NamedFile[]>;
}

export const createApprovalStage = (options: ApprovalStageOptions): Stage => {
  const { world, records, table, isIsolated, approvals, redact, pinNamedFiles } = options;

  /** Adds the questions of the agent's mode, or returns the reason why the call is refused. */
  const addModeAsks = async (
    { call }: Extract<ApprovableEffect, { kind: "tool" }>,
    tool: ToolDeclaration,
    agent: AgentRecord,
    asks: readonly Ask[],
  ): Promise<readonly Ask[] | { readonly refused: string }> => {
    const { mode, trusted = [] } = agent.content;
    const isWalled = mode === "ask" && trusted.length > 0 && (await isIsolated(agent));
    const verdict = judgeMode(agent.content, call, tool, isWalled);
    if (verdict.kind === "refused") return { refused: verdict.text };
    return verdict.kind === "allowed" ? asks : [...asks, { stage: "approval", text: verdict.text, fields: [] }];
  };

  const offersOf = async (
    effect: ApprovableEffect,
    agent: AgentRecord,
    row: Row<"activations">,
    asks: readonly Ask[],
  ): Promise<ApprovalOffers> => {
    const hasSession = row.parent === null;
    const { handle } = agent;
    if (effect.kind === "model") return offersForModel(handle, effect.models, hasSession);
    const tool = findTool(table, effect.call.name);
    if (tool === undefined) throw new Error(`unknown tool ${effect.call.name}`);
    return offersFor({
      handle,
      call: effect.call,
      tool,
      asks,
      hasSession,
      redact,
      isIsolated: await isIsolated(agent),
    });
  };

  /** Whether an approved rule allows this call. */
  const isCoveredByRule = async (
    effect: ApprovableEffect,
    row: Row<"activations">,
    asks: readonly Ask[],
    agent: AgentRecord,
  ): Promise<boolean> => {
    const rules = await approvals.rulesFor(agent.id, ruleName(effect));
    // The current offers are checked, because the tool or the isolation may have changed since the
    // rule was made.
    const { offers } = await offersOf(effect, agent, row, asks);
    const { input, needed } = fieldsOf(effect, table, asks);
    for (const rule of rules) {
      if (!offers.some(({ scope }) => scope === (rule.room === null ? "rule" : "session"))) continue;
      if (!isWithin(JSON.parse(rule.bound), input, needed)) continue;
      if (rule.room === null || (await isInSession(options, row, rule))) return true;
    }
    return false;
  };

  return async (effect, asks = []) => {
    if (effect.kind === "egress" || effect.kind === "send")
      return asks.length === 0 ? ALLOWED : refuse(`This needs approval, which is not possible here: ${textOf(asks)}`);
    if (effect.kind === "model" && asks.length === 0) return ALLOWED;
    const agent = await records.get("agent", effect.agent.id);
    const tool = effect.kind === "tool" ? findTool(table, effect.call.name) : undefined;
    const allAsks = effect.kind === "model" || tool === undefined ? asks : await addModeAsks(effect, tool, agent, asks);
    if ("refused" in allAsks) return refuse(allAsks.refused);
    if (allAsks.length === 0) return ALLOWED;

    const command = commandOf(effect, table);
    const files = command === undefined ? [] : await pinNamedFiles(agent, namesFile(command));
    const frozenCall = freezeCall(effect, world.hash, files);
    const approval = await approvals.find(effect.activation, effect.step, frozenCall);
    switch (approval?.state) {
      case "allowed":
        return { ...ALLOWED_BY_PERSON, sameCommit: approvals.use(approval) };
      case "used":
        // After a crash, restart the call only if its effect class allows it. Otherwise the model
        // has to request it again.
        return effect.effect === "plain"
          ? refuse("This call was already made and was not repeated.")
          : ALLOWED_BY_PERSON;
      case "denied":
        return refuse(deniedText(approval.reason));
      case "expired":
        return refuse(EXPIRED);
      case "pending":
        if (world.clock.now() < approval.expires_at)
          return {
            verdict: "waiting",
            text: waitingText(frozenCall.name, allAsks),
            sameCommit: toPendingGuard(approval),
          };
        await approvals.expire(approval);
        return refuse(EXPIRED);
      default:
        break;
    }
    if (agent.content.mode === "unattended")
      return refuse(`${UNATTENDED} It would have needed approval: ${textOf(allAsks)}`);
    const activation = await activationOf(options, effect.activation);
    if (await isCoveredByRule(effect, activation, allAsks, agent)) return ALLOWED_BY_PERSON;
    const { offers, bound } = await offersOf(effect, agent, activation, allAsks);
    return {
      verdict: "waiting",
      text: waitingText(frozenCall.name, allAsks),
      sameCommit: await approvals.planRequest({
        activation,
        step: effect.step,
        call: frozenCall,
        asks: allAsks,
        offers: [...offers],
        bound: canonicalJson(bound),
        display: displayRequest(effect, command === undefined ? undefined : files, redact),
      }),
    };
  };
};

const ALLOWED_BY_PERSON = { verdict: "allowed", byPerson: true } as const;

/**
 * Formats the request. A command is shown with its folder and the files that the approval is bound
 * to, so that the person can read them first.
 */
const displayRequest = (effect: ApprovableEffect, files: readonly NamedFile[] | undefined, redact: Redact): string => {
  if (effect.kind === "model")
    return displayCall({ name: `model ${effect.models[0] ?? ""}`, input: { models: effect.models } }, redact);
  const callText = displayCall({ name: effect.call.name, input: effect.call.input as Fields }, redact);
  if (files === undefined) return callText;
  const withFolder = `${callText}\nin the root folder of its workspace`;
  const pinned = files.filter(({ unpinned }) => unpinned === undefined);
  const unpinned = files.filter((file) => file.unpinned !== undefined);
  const names = listNamed(pinned, ({ path }) => displayValue(path, redact));
  const unpinnedNames = listNamed(unpinned, (file) => `${displayValue(file.path, redact)} (${file.unpinned})`);
  return [
    withFolder,
    ...(pinned.length === 0 ? [] : [`with the current content of these files: ${names}`]),
    ...(unpinned.length === 0
      ? []
      : [`WARNING: the content of these files may change before the command runs: ${unpinnedNames}`]),
  ].join("\n");
};

const listNamed = (files: readonly NamedFile[], show: (file: NamedFile) => string): string => {
  const moreText = files.length > MAX_NAMED ? ` and ${files.length - MAX_NAMED} more` : "";
  return files.slice(0, MAX_NAMED).map(show).join(", ") + moreText;
};

/** Maximum number of files that are listed by name. */
const MAX_NAMED = 8;

/**
 * Returns the name under which a rule covers the effect. Tool names contain no space, so the name
 * of a model cannot equal one.
 */
export const ruleName = (effect: ApprovableEffect): string =>
  effect.kind === "tool" ? effect.call.name : `model ${effect.models[0] ?? ""}`;

const fieldsOf = (
  effect: ApprovableEffect,
  table: ToolTable,
  asks: readonly Ask[],
): { readonly input: Fields; readonly needed: Fields } => {
  if (effect.kind === "model") return { input: { models: effect.models }, needed: { models: effect.models } };
  const input = effect.call.input as Fields;
  return { input, needed: boundFields(input, findTool(table, effect.call.name) ?? { sinks: [] }, asks) };
};

const activationOf = async ({ store }: ApprovalStageOptions, id: ActivationId): Promise<Row<"activations">> => {
  const [row] = await store.select({ table: "activations", where: { id } });
  if (row !== undefined) return row;
  throw new HearthError("activation.not-found", `There is no activation ${id}.`, {
    hint: "To list activations: hearth activation list",
  });
};

/**
 * The range of the room's history that an activation received. It begins with the session or later.
 */
const FrozenRange = z.object({ range: z.object({ start: z.int() }) });

/**
 * Whether the room's session in which the approval was given still lasts, and the activation's
 * input still contains it.
 */
const isInSession = async (
  { blobs }: ApprovalStageOptions,
  row: Row<"activations">,
  { room, since }: Pick<Row<"approval_rules">, "room" | "since">,
): Promise<boolean> => {
  if (row.room !== room || since === null || (row.frozen === null && row.frozen_blob === null)) return false;
  const text = await unpackBody(blobs as Blobs, { inline: row.frozen, blob: row.frozen_blob }).catch(
    (error: unknown) => {
      if (!isHearthError(error, "store.damaged")) throw error;
      return undefined;
    },
  );
  // If the input is damaged, a person is asked again, because the session may have ended.
  if (text === undefined) return false;
  return FrozenRange.parse(JSON.parse(text)).range.start < since;
};

/** Guards against a decision that is made while the call is being parked. */
const toPendingGuard = ({ id }: Row<"approvals">) =>
  ({ guards: [{ kind: "exists", table: "approvals", where: { id, state: "pending" } }], writes: [] }) as const;

const textOf = (asks: readonly Ask[]): string => asks.map(({ text }) => text).join(" ");

const waitingText = (name: string, asks: readonly Ask[]): string =>
  `${name} waits for a person's approval. ${textOf(asks)}`;

const EXPIRED = "A person was asked to approve this call and did not answer in time. The call was not made.";

const deniedText = (reason: string | null): string =>
  reason === null || reason === ""
    ? "A person denied this call. It was not made."
    : `A person denied this call. It was not made. Their reason: ${reason}`;

const refuse = (text: string) => ({ verdict: "refused", text }) as const;
