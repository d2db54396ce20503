/** The interface to service managers, which start the house with the machine and restart it when it fails. */
import { HearthError } from "@hearth/protocol";

export interface UnitSpec {
  readonly name: string;
  /** Absolute path of the `hearth` program. */
  readonly program: string;
  /** Absolute path of the home folder. */
  readonly home: string;
  /** The value of PATH for the house. */
  readonly path: string;
  /** The name of the user that the house runs as. */
  readonly user: string;
}

export type UnitState = "not installed" | "stopped" | "starting" | "running" | "failed";

export interface UnitStatus {
  readonly state: UnitState;
  /** The file that defines the service. Undefined when the service is not installed. */
  readonly file?: string;
  /** The daemon's process id, if the manager reports it. */
  readonly pid?: number;
  /** How often the manager has restarted the house, if it counts restarts. */
  readonly restarts?: number;
}

export interface LogRange {
  /** The number of lines to print, counted from the end. */
  readonly lines: number;
  /** Whether to follow the log until the program is interrupted. */
  readonly follow: boolean;
}

export interface InitSystem {
  readonly kind: "systemd-user" | "systemd-system" | "launchd" | "task-scheduler";
  /**
   * Writes the definition and starts the house, now and with the machine. Replaces an earlier
   * definition of the same name and restarts the house. Resolves with notes for the user. Throws
   * `service.failed` when the manager refuses; the definition then stays, so that it can be read.
   */
  install(spec: UnitSpec): Promise<readonly string[]>;
  status(name: string): Promise<UnitStatus>;
  /** Returns the command that prints the service's log. */
  logs(name: string, range: LogRange): readonly string[];
  /**
   * Stops the house and removes the definition. The home stays. Resolves with false if the service
   * was not installed.
   */
  uninstall(name: string): Promise<boolean>;
}

/** Runs programs of the system. */
export interface Programs {
  /** Runs a program. Resolves with exit code 127 when the program does not exist. */
  run(argv: readonly string[]): Promise<ProgramResult>;
}

export interface ProgramResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a program and resolves with its output. Throws `service.failed` with its message when it fails. */
export const runOrThrow = async (programs: Programs, argv: readonly string[]): Promise<string> => {
  const { code, out, err } = await programs.run(argv);
  if (code === 0) return out;
  const message = (err.trim() || out.trim()).replaceAll("\n", " ") || "no message";
  // A login creates the session through which a user's systemd can be reached.
  const hint = message.includes("connect to bus")
    ? "Log in to this machine as this user instead of changing to it with su, or use: sudo hearth service install --system"
    : "See the log of the service: hearth service logs";
  throw new HearthError("service.failed", `${argv.join(" ")} failed with exit code ${code}: ${message}`, { hint });
};

const HASH_LENGTH = 8;

/**
 * Returns the name `hearth-FOLDER-HASH`. The hash is of the whole path, so that several homes can
 * have a service.
 */
export const toUnitName = (home: string): string => {
  const folder = home
    .slice(home.lastIndexOf("/") + 1)
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const hash = new Bun.CryptoHasher("sha256").update(home).digest("hex").slice(0, HASH_LENGTH);
  return ["hearth", folder, hash].filter((part) => part !== "").join("-");
};
