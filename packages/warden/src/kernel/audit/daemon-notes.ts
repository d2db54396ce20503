/** What the audit log tells of the daemon itself: when it began and ended to work, with which config, and who changed that. */
import type { AgentId, AuditFacts } from "@hearth/protocol";
import type { ConfigSource } from "../config/source.ts";
import type { Log } from "../log/log.ts";
import type { Audit } from "./audit.ts";

export interface DaemonNotes {
  /** Before it takes work. Never rejects: a house whose disk is full starts, says so, and takes no work. */
  started(): Promise<void>;
  /** `by`: who asked for it; absent: the machine. Never rejects. */
  stopped(by: AgentId | undefined): Promise<void>;
}

/** Edits of the config are told from here on. One made with an editor shows as another `config` at the next start. */
export const createDaemonNotes = (options: {
  readonly log: Log;
  readonly audit: Pick<Audit, "note">;
  readonly config: Pick<ConfigSource, "onEdit">;
  readonly configVersion: () => string;
  readonly version: string;
  readonly pid: number;
}): DaemonNotes => {
  const { log, audit, config, configVersion, version, pid } = options;

  const tell = async (type: "daemon" | "config", facts: AuditFacts): Promise<void> => {
    try {
      await audit.note(type, facts);
    } catch (error) {
      log.write("error", "what was done stands in no audit log: the store did not take it", { type, error });
    }
  };

  config.onEdit((edit) => tell("config", { ...edit, config: configVersion() }));
  return {
    started: () => tell("daemon", { change: "started", version, pid, config: configVersion() }),
    stopped: (by) => tell("daemon", { change: "stopped", ...(by === undefined ? {} : { by }), pid }),
  };
};
