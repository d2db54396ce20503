/** Cells: kinds, audiences, isolation and resource limits. */
import { z } from "zod";
import { AgentId, type RoomId } from "../base/ids.ts";

/** The backends that an inmate can run in. */
export const backendKinds = ["inline", "process", "landlock", "bubblewrap", "qemu"] as const;
export const BackendKind = z.enum(backendKinds);
export type BackendKind = z.infer<typeof BackendKind>;

/**
 * `auto`: the fastest isolated backend that works on this machine, or else `process`. `strongest`:
 * the working backend with the most kinds of isolation. Without an isolated one, the cell cannot
 * open.
 */
export const CellKind = z.enum(["auto", "strongest", ...backendKinds]);
export type CellKind = z.infer<typeof CellKind>;

export const isolations = ["none", "process", "container", "kernel", "vm"] as const;
/**
 * How a cell is separated from the host. `none`: it runs in the daemon. `process`: only crashes are
 * contained. `container`: it shares the host's kernel and has its own view of the system. `kernel`:
 * its own kernel in user space. `vm`: its own kernel on virtual hardware.
 */
export const Isolation = z.enum(isolations);
export type Isolation = z.infer<typeof Isolation>;

/**
 * Kinds of isolation that a cell enforces:
 * - `fs`: it sees only its view of the host's files and writes only its workspace
 * - `net`: it reaches the network through the house's egress or not at all
 * - `kernel`: kernel interfaces that it does not need are closed
 * - `memory`, `pids`, `cpu`: it cannot exceed its limits, and no process outlives the cell
 */
export const walls = ["fs", "net", "kernel", "memory", "pids", "cpu"] as const;
export const Wall = z.enum(walls);
export type Wall = z.infer<typeof Wall>;

/**
 * Limits for a whole cell: the inmate and all commands together. The house's setting applies to
 * absent fields.
 */
export const OwnCellLimits = z.strictObject({
  memoryMiB: z.int().min(256).max(1_048_576).exactOptional(),
  /** Maximum number of processes and threads at the same time. */
  processes: z.int().min(16).max(100_000).exactOptional(),
  /** Number of processors. 1.5 is one and a half. */
  cpus: z.number().min(0.1).max(1024).exactOptional(),
  /** Maximum size of a file that a command writes. */
  fileMiB: z.int().min(1).max(1_048_576).exactOptional(),
  /** Maximum total size of `workspace/` and the cell's private folders. */
  diskMiB: z.int().min(16).max(1_048_576).exactOptional(),
});
export type OwnCellLimits = z.infer<typeof OwnCellLimits>;
export const CellLimits = OwnCellLimits.required();
export type CellLimits = z.infer<typeof CellLimits>;
export const DEFAULT_CELL_LIMITS: CellLimits = {
  memoryMiB: 1024,
  processes: 256,
  cpus: 1,
  fileMiB: 1024,
  diskMiB: 4096,
};

/**
 * The readers for whom a cell works. `private`: those who may read everything that the agent
 * remembers. `room:ID`: the members of one room. An agent has one cell per audience.
 */
export type Audience = "private" | `room:${RoomId}`;
/** An audience as it appears in a URL. */
export const AudienceName = z
  .string()
  .regex(/^(private|room:room_[0-9a-z]{26})$/, "not an audience: private, or room:ID");

/** An open cell. */
export const CellInfo = z.object({
  agent: AgentId,
  audience: z.string(),
  backend: z.string(),
  isolation: Isolation,
  walls: z.array(Wall),
  limits: CellLimits,
  pid: z.int().optional(),
  /** UTC milliseconds. */
  openedAt: z.int(),
  /** Activations that use the cell now. */
  activations: z.array(z.string()),
});
export type CellInfo = z.infer<typeof CellInfo>;
export const CellList = z.array(CellInfo);
/** Opens the agent's cell for this room's audience. `room` is an id or a handle. */
export const OpenCell = z.strictObject({ room: z.string().min(1).max(200) });
export type OpenCell = z.infer<typeof OpenCell>;
export const CellsClosed = z.object({ closed: z.int() });
