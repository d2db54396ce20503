/** Records the daemon's starts and stops, its config, and edits of the config in the audit log. */
import type { AgentId, AuditFacts } from "@hearth/protocol";
import type { ConfigSource } from "../config/source.ts";
import type { Log } from "../log/log.ts";
import type { Audit } from "./audit.ts";

export interface DaemonAudit {
  /**
   * Records the start. Called before the daemon takes work. Never rejects: a house with a full
   * disk starts, reports this, and takes no work.
   */
  recordStart(): Promise<void>;
  /**
   * Records the stop. `by` is the person who stopped the daemon, or undefined for the system.
   * Never rejects.
   */
  recordStop(by: AgentId | undefined): Promise<void>;
}

/**
 * Creates the recorder. It records edits of the config from now on. An edit with a text editor
 * appears as another `config` at the next start.
 */
export const createDaemonAudit = (options: {
  readonly log: Log;
  readonly audit: Pick<Audit, "note">;
  readonly config: Pick<ConfigSource, "onEdit">;
  readonly configVersion: () => string;
  readonly version: string;
  readonly pid: number;
}): DaemonAudit => {
  const { log, audit, config, configVersion, version, pid } = options;

  const record = async (type: "daemon" | "config", facts: AuditFacts): Promise<void> => {
    try {
      await audit.note(type, facts);
    } catch (error) {
      log.write("error", "an event is missing in the audit log because the store did not accept it", { type, error });
    }
  };

  config.onEdit((edit) => record("config", { ...edit, config: configVersion() }));
  return {
    recordStart: () => record("daemon", { change: "started", version, pid, config: configVersion() }),
    recordStop: (by) => record("daemon", { change: "stopped", ...(by === undefined ? {} : { by }), pid }),
  };
};
