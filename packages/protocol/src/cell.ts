/** Where an agent's hands are: kinds of cell, who shares one, what holds in it and what it may use up. */
import { z } from "zod";
import { AgentId, type RoomId } from "./ids.ts";

/** What an inmate can run in. */
export const backendKinds = ["inline", "process", "landlock", "bubblewrap", "qemu"] as const;
export const BackendKind = z.enum(backendKinds);
export type BackendKind = z.infer<typeof BackendKind>;

/** `auto`: the fastest one with walls that works here, else `process`. `strongest`: the one with most walls that works here, else none. */
export const CellKind = z.enum(["auto", "strongest", ...backendKinds]);
export type CellKind = z.infer<typeof CellKind>;

export const isolations = ["none", "process", "container", "kernel", "vm"] as const;
/**
 * How far what runs in a cell is from the host: `none`, it is the daemon; `process`, only a crash is kept away; `container`, it shares the
 * host's kernel and sees a world of its own; `kernel`, an own kernel in user space; `vm`, an own kernel on hardware of its own.
 */
export const Isolation = z.enum(isolations);
export type Isolation = z.infer<typeof Isolation>;

/**
 * What holds against whatever runs in a cell:
 * - `fs` it sees the view that it was given and writes its workspace, nothing else of the host
 * - `net` it reaches the network through the house's egress or not at all
 * - `kernel` parts of the kernel that it has no use for are closed
 * - `memory`, `pids`, `cpu` it cannot use up more than its limits, and nothing of it outlives the cell
 */
export const walls = ["fs", "net", "kernel", "memory", "pids", "cpu"] as const;
export const Wall = z.enum(walls);
export type Wall = z.infer<typeof Wall>;

/** What a cell may use up: all of it together, the inmate and every command. Left out: what the house says. */
export const OwnCellLimits = z.strictObject({
  memoryMiB: z.int().min(256).max(1_048_576).exactOptional(),
  /** Processes and threads at once. */
  processes: z.int().min(16).max(100_000).exactOptional(),
  /** Shares of one processor: 1.5 is one and a half. */
  cpus: z.number().min(0.1).max(1024).exactOptional(),
  /** Largest file that a command may write. */
  fileMiB: z.int().min(1).max(1_048_576).exactOptional(),
  /** What `workspace/` and the cell's own folders may hold. */
  diskMiB: z.int().min(16).max(1_048_576).exactOptional(),
});
export type OwnCellLimits = z.infer<typeof OwnCellLimits>;
export const CellLimits = OwnCellLimits.required();
export type CellLimits = z.infer<typeof CellLimits>;
export const DEFAULT_CELL_LIMITS: CellLimits = {
  ...{ memoryMiB: 1024, processes: 256, cpus: 1 },
  ...{ fileMiB: 1024, diskMiB: 4096 },
};

/**
 * Whose eyes what happens in a cell is for: `private`, those who may read all that the agent remembers; `room:ID`, the people of one room. An
 * agent has one cell for each audience.
 */
export type Audience = "private" | `room:${RoomId}`;
/** An audience in an address. */
export const AudienceName = z
  .string()
  .regex(/^(private|room:room_[0-9a-z]{26})$/, "not an audience: private, or room:ID");

/** A cell that is open. */
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
  /** Activations that have their place in it right now. */
  activations: z.array(z.string()),
});
export type CellInfo = z.infer<typeof CellInfo>;
export const CellList = z.array(CellInfo);
/** The cell that the agent has for the people of this room, by id or handle. */
export const OpenCell = z.strictObject({ room: z.string().min(1).max(200) });
export type OpenCell = z.infer<typeof OpenCell>;
export const CellsClosed = z.object({ closed: z.int() });
