/**
 * Creates the policy of a home: the choke point with every stage, and the parts that the stages
 * use.
 */
import type { ConfigSource, Log, Outbox, Blobs, DeferringStore, DurableStreams } from "../kernel/index.ts";
import { createAudiences, createMayCarry, findRoomByName, type Permissions, type Records } from "../people/index.ts";
import type { Catalog } from "../models/index.ts";
import type { AgentRecord, HouseId, Label, World, RoomId } from "@hearth/protocol";
import type { ToolTable } from "@hearth/protocol/tools";
import type { Redaction } from "./secrets/redaction.ts";
import { type ChokePoint, createChokePoint, type Stage, type StageName } from "./effect.ts";
import { createTurnTaints, type TurnTaints } from "./taint/turn-taints.ts";
import { createHolds, type Holds } from "./holds.ts";
import { createLabelsStage } from "./taint/labels-stage.ts";
import { createLeakScan } from "./text/leak-scan.ts";
import type { ApprovalStageOptions } from "./approvals/approval-stage.ts";
import { openApprovals } from "./approvals/open-approvals.ts";
import { openBudgets } from "./budgets/open-budgets.ts";
import { toLabelled } from "./text/outgoing.ts";
import { createQuotaStage, createRoleStage, createSchemaStage, createStopStage } from "./stages.ts";

export interface PolicyOptions {
  readonly world: World;
  readonly log: Log;
  readonly deferring: DeferringStore;
  readonly streams: DurableStreams;
  readonly blobs: Blobs;
  readonly records: Records;
  readonly permissions: Permissions;
  readonly providers: Catalog;
  readonly table: ToolTable;
  readonly hasWalls: (agent: AgentRecord) => Promise<boolean>;
  readonly redaction: Redaction;
  readonly pins: ApprovalStageOptions["pins"];
  readonly config: ConfigSource;
  readonly home: HouseId;
  /** Whether all agents are held because the home was restored. */
  readonly onHold: () => boolean;
  readonly outbox: () => Pick<Outbox, "notice" | "endChoices" | "poke">;
  /** Replaces stages of the house. */
  readonly stages: Readonly<Partial<Record<Exclude<StageName, "journal">, Stage>>> | undefined;
}

export type Policy = Awaited<ReturnType<typeof openBudgets>> &
  Pick<ReturnType<typeof openApprovals>, "approvals"> & {
    readonly chokePoint: ChokePoint;
    readonly taints: TurnTaints;
    readonly holds: Holds;
    /** Formats a text with this label for people. */
    readonly shown: (text: string, label: Label | undefined) => string;
  };

export const openPolicy = async (options: PolicyOptions): Promise<Policy> => {
  const { config, home, deferring, streams, world, records, table, hasWalls, permissions, redaction } = options;
  const { store } = deferring;
  const holds = await createHolds({ world, store, streams, house: home, onHold: options.onHold });
  const budgets = await openBudgets({ ...options, config: () => config.current().budget });
  const { approvals, stage: approval } = openApprovals({
    ...options,
    ...{ store, redact: redaction.text, expireHours: () => config.current().approvals.expireHours },
  });
  const leaks = createLeakScan(redaction);
  const audienceOf = createAudiences({ permissions, records });
  const mayCarry = createMayCarry({ permissions, records, audienceOf });
  const chokePoint = createChokePoint(
    {
      stop: createStopStage(holds),
      budget: budgets.stage,
      schema: createSchemaStage(table),
      role: createRoleStage(permissions, table),
      labels: createLabelsStage({
        table,
        hasWalls: async (id) => hasWalls(await records.get("agent", id)),
        async mayCarryTo(id, from, name) {
          const agent = await records.get("agent", id);
          const room = await findRoomByName(records, agent, name);
          // The tool refuses a room that does not exist.
          return room === undefined || mayCarry(agent, from as RoomId, room);
        },
      }),
      quota: createQuotaStage({ maxToolCalls: config.current().turns.maxToolCalls }),
      approval,
      ...options.stages,
    },
    leaks,
  );
  const shown: Policy["shown"] = (text, label) => toLabelled(text, label, leaks);
  return { ...budgets, approvals, chokePoint, taints: createTurnTaints(), holds, shown };
};
