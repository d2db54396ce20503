/** What the check of security looks at, as plain values: with a daemon or without one it is the same. Pure. */
import type { Path, Config } from "../../kernel/index.ts";
import type {
  AgentRecord,
  Grant,
  HouseId,
  HouseRecord,
  KeyInfo,
  RoomRecord,
  SecretGrant,
  VaultStatus,
  Wall,
} from "@hearth/protocol";
import type { ToolTable } from "@hearth/protocol/tools";

/** Something in the home folder. */
export interface HomeFile {
  /** From the home folder, with `/`; the folder itself is `.`. */
  readonly path: string;
  readonly kind: "file" | "folder";
  /** Its permission bits. */
  readonly mode: number;
  /** Whether it belongs to the user who looks. */
  readonly isOurs: boolean;
}

export interface HeldSecret {
  readonly house: HouseId;
  readonly name: string;
  readonly setAt: number;
  readonly grants: readonly SecretGrant[];
}

export interface HeldRule {
  readonly id: string;
  readonly agent: string;
  readonly tool: string;
  /** Names of the fields that it holds to. */
  readonly bound: readonly string[];
  readonly text: string;
  /** It ends with a session. */
  readonly isForSession: boolean;
}

export interface AuditState {
  readonly house: HouseId;
  /** What does not hold in it, as sentences. */
  readonly faults: readonly string[];
  /** Whether what does not hold is that its heads are gone, or are not ours. */
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
  /** Those that open something. */
  readonly keys: readonly KeyInfo[];
  readonly rules: readonly HeldRule[];
  readonly secrets: readonly HeldSecret[];
  /** Names of secrets that the config refers to. */
  readonly referred: ReadonlySet<string>;
  /** `AGENT NAME` of secrets that were put into a request, as far back as the ledger goes. */
  readonly used: ReadonlySet<string>;
  readonly vault: VaultStatus;
  readonly audit: readonly AuditState[];
  /** What holds where an agent lives. Absent: nobody asked the machine. */
  readonly walls?: ReadonlyMap<string, ReadonlySet<Wall>>;
  /** Whether some kind of cell with walls works here. */
  readonly hasWalledKind?: boolean;
  /** Absent: the folder was not looked at. */
  readonly files?: readonly HomeFile[];
}

/** Bots that the house wakes. */
export const botsOf = ({ agents }: Pick<SecurityView, "agents">): readonly AgentRecord[] =>
  agents.filter(({ content }) => content.kind === "bot" && content.runs !== "elsewhere");

/** Where nobody asked the machine, the doubt is said once and counts for nobody. */
export const hasWalls = ({ walls }: Pick<SecurityView, "walls">, { id }: AgentRecord): boolean => {
  if (walls === undefined) return true;
  const held = walls.get(id);
  return held !== undefined && held.has("fs") && held.has("net");
};
