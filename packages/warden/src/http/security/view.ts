/**
 * The input of the security check as plain values, which are the same with or without a daemon.
 * Pure.
 */
import type { Path, Config } from "../../kernel/index.ts";
import type {
  AgentId,
  AgentRecord,
  ApprovalRuleId,
  Grant,
  HouseId,
  HouseRecord,
  InviteId,
  KeyInfo,
  Level,
  Right,
  RoomRecord,
  SecretGrant,
  VaultStatus,
  Wall,
} from "@hearth/protocol";
import type { ToolTable } from "@hearth/protocol/tools";

/** An entry of the home folder. */
export interface HomeFile {
  /** Relative to the home folder, with `/`; the folder itself is `.`. */
  readonly path: string;
  readonly kind: "file" | "folder";
  /** Its permission bits. */
  readonly mode: number;
  /** Whether it belongs to the current user. */
  readonly isOurs: boolean;
}

export interface StoredSecret {
  readonly house: HouseId;
  readonly name: string;
  readonly setAt: number;
  readonly grants: readonly SecretGrant[];
}

export interface StoredRule {
  readonly id: ApprovalRuleId;
  readonly agent: string;
  readonly tool: string;
  /** Names of the fields that the rule fixes. */
  readonly bound: readonly string[];
  readonly text: string;
  /** Whether it ends with a session. */
  readonly isForSession: boolean;
}

/** An invite link that can be used. */
export interface OpenInvite {
  readonly id: InviteId;
  readonly house: HouseId;
  readonly level: Level;
  /** The rights of the guest beside the level. */
  readonly rights: readonly Right[];
  readonly expiresAt: number;
}

export interface AuditState {
  readonly house: HouseId;
  /** Faults of the log, as sentences. */
  readonly faults: readonly string[];
  /** Whether the anchor is missing or not ours. */
  readonly isAnchorLost: boolean;
}

export interface SecurityView {
  /** Absolute path of the home folder. */
  readonly home: string;
  readonly now: number;
  readonly config: Config;
  /** "hearth.toml line 12" */
  readonly placeOf: (path: Path) => string;
  readonly table: ToolTable;
  readonly houses: readonly HouseRecord[];
  readonly rooms: readonly RoomRecord[];
  readonly agents: readonly AgentRecord[];
  readonly grants: readonly Grant[];
  /** The last login or use of a session, for people with rights who have logged in. */
  readonly lastLogins: ReadonlyMap<AgentId, number>;
  /** Keys that are valid. */
  readonly keys: readonly KeyInfo[];
  readonly invites: readonly OpenInvite[];
  readonly rules: readonly StoredRule[];
  readonly secrets: readonly StoredSecret[];
  /** Names of secrets that the config or a job's webhook uses. */
  readonly referencedSecrets: ReadonlySet<string>;
  /** `AGENT NAME` of secrets used in requests, as far back as the ledger goes. */
  readonly usedSecrets: ReadonlySet<string>;
  readonly vault: VaultStatus;
  readonly audit: readonly AuditState[];
  /** The isolation of each agent's cell. Absent: the machine was not examined. */
  readonly walls?: ReadonlyMap<string, ReadonlySet<Wall>>;
  /** Whether an isolated kind of cell is available. */
  readonly hasWalledKind?: boolean;
  /** Absent: the folder was not examined. */
  readonly files?: readonly HomeFile[];
}

/** Returns the bots that the house wakes. */
export const botsOf = ({ agents }: Pick<SecurityView, "agents">): readonly AgentRecord[] =>
  agents.filter(({ content }) => content.kind === "bot" && content.runs !== "elsewhere");

/**
 * Whether the agent's cell has walls. Without an examination, this counts as true: the uncertainty
 * is reported once.
 */
export const isIsolated = ({ walls }: Pick<SecurityView, "walls">, { id }: AgentRecord): boolean => {
  if (walls === undefined) return true;
  const wallsOfAgent = walls.get(id);
  return wallsOfAgent !== undefined && wallsOfAgent.has("fs") && wallsOfAgent.has("net");
};
