/**
 * Opens the policy of a home: the choke point with all stages, and the parts that the stages use.
 */
import type {
  Blobs,
  ConfigSource,
  DeferringStore,
  DurableStreams,
  Log,
  Notices,
  RestoreFindings,
  Store,
} from "../kernel/index.ts";
import { findRoomByName, type MayCarry, type Permissions, type Records } from "../people/index.ts";
import type { Models } from "../models/index.ts";
import type { AgentRecord, Label, RoomId, HouseId, World } from "@hearth/protocol";
import type { ToolTable } from "@hearth/protocol/tools";
import { createApprovals } from "./approvals/approval-book.ts";
import { createApprovalStage } from "./approvals/approval-stage.ts";
import type { Approvals } from "./approvals/approvals.ts";
import type { AdmitAgentCost } from "./budgets/agent-spending.ts";
import type { Budgets } from "./budgets/house-budgets.ts";
import type { AdmitHome, AdmitHomeCost, OpenHomeGate } from "./budgets/home-spending.ts";
import { openBudgets } from "./budgets/open-budgets.ts";
import type { Pay } from "./budgets/paid-provider.ts";
import type { UsageSums } from "./budgets/usage-sums.ts";
import { type ChokePoint, createChokePoint, type Stage, type StageName } from "./effect.ts";
import { createHolds, type Holds } from "./holds.ts";
import type { Redaction } from "./secrets/redaction.ts";
import { createQuotaStage, createRoleStage, createSchemaStage, createStopStage } from "./stages.ts";
import { createLabelledFiles, type LabelledFiles } from "./taint/file-labels.ts";
import { createLabelsStage } from "./taint/labels-stage.ts";
import { createTurnTaints, type TurnTaints } from "./taint/turn-taints.ts";
import { createLeakScan } from "./text/leak-scan.ts";
import { toLabelled } from "./text/outgoing.ts";
import type { NamedFile } from "./approvals/frozen-call.ts";

/** Stages that replace those of the house, for tests. */
export type Stages = Readonly<Partial<Record<Exclude<StageName, "journal">, Stage>>>;

export interface PolicyOptions {
  readonly kernel: {
    readonly world: World;
    readonly log: Log;
    readonly config: ConfigSource;
    readonly store: Store;
    readonly deferring: DeferringStore;
    readonly streams: DurableStreams;
    readonly blobs: Blobs;
    readonly notices: Notices;
    readonly findings: Pick<RestoreFindings, "isOnHold">;
  };
  readonly people: {
    readonly house: HouseId;
    readonly records: Records;
    readonly permissions: Permissions;
    readonly mayCarry: MayCarry;
  };
  readonly models: Pick<Models, "providers">;
  readonly table: ToolTable;
  /** Whether the agent's cell isolates it from other files and networks. */
  readonly isIsolated: (agent: AgentRecord) => Promise<boolean>;
  readonly brains: { open(agent: AgentRecord): Promise<PinnedFiles> };
  readonly redaction: Redaction;
  readonly stages?: Stages | undefined;
}

/** The part of a brain that pins the files that a command names. */
interface PinnedFiles {
  pins(isNamed: (path: string) => boolean): Promise<readonly NamedFile[]>;
}

export interface Policy {
  readonly chokePoint: ChokePoint;
  readonly taints: TurnTaints;
  readonly holds: Holds;
  readonly budgets: Budgets;
  readonly pay: Pay;
  readonly admitHome: AdmitHome;
  readonly admitHomeCost: AdmitHomeCost;
  readonly openHomeGate: OpenHomeGate;
  readonly admitAgentCost: AdmitAgentCost;
  readonly usage: Pick<UsageSums, "list">;
  readonly approvals: Approvals;
  /** Labels of files in agents' workspaces. */
  readonly files: LabelledFiles;
  readonly isIsolated: (agent: AgentRecord) => Promise<boolean>;
  /** Formats a text with this label for people. */
  readonly formatForPeople: (text: string, label: Label | undefined) => string;
}

const HOUR_MS = 60 * 60_000;

export const openPolicy = async (options: PolicyOptions): Promise<Policy> => {
  const { kernel, people, table, isIsolated, brains, redaction } = options;
  const { config, world, store, blobs, findings, streams, log, deferring } = kernel;
  const { house, records, permissions, mayCarry } = people;
  const redact = redaction.text;
  const holds = await createHolds({ world, store, streams, house, onHold: findings.isOnHold });
  const { stage: budget, ...budgets } = await openBudgets({
    world,
    log,
    deferring,
    streams,
    records,
    home: house,
    config: () => config.current().budget,
    providers: options.models.providers,
  });
  const approvals = createApprovals({
    world,
    log,
    store,
    streams,
    records,
    permissions,
    outbox: kernel.notices,
    redact,
    expireMs: () => config.current().approvals.expireHours * HOUR_MS,
  });
  const leakScan = createLeakScan(redaction);
  const chokePoint = createChokePoint(
    {
      stop: createStopStage(holds),
      budget,
      schema: createSchemaStage(table),
      role: createRoleStage(permissions, table),
      labels: createLabelsStage({
        table,
        isIsolated: async (id) => isIsolated(await records.get("agent", id)),
        async mayCarryTo(id, from, name) {
          const agent = await records.get("agent", id);
          const room = await findRoomByName(records, agent, name);
          // The tool refuses a room that does not exist.
          return room === undefined || mayCarry(agent, from as RoomId, room);
        },
      }),
      quota: createQuotaStage(() => config.current().turns.maxToolCalls),
      approval: createApprovalStage({
        world,
        store,
        blobs,
        records,
        table,
        isIsolated,
        approvals,
        redact,
        pinNamedFiles: async (agent, isNamed) => (await brains.open(agent)).pins(isNamed),
      }),
      ...options.stages,
    },
    leakScan,
  );
  return {
    ...budgets,
    chokePoint,
    taints: createTurnTaints(),
    holds,
    approvals,
    files: createLabelledFiles({ clock: world.clock, store }),
    isIsolated,
    formatForPeople: (text, label) => toLabelled(text, label, leakScan),
  };
};
