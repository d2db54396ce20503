/**
 * The machine's parts that a tunnel uses: a separate port, and a program that runs beside the
 * house.
 */
import type { Http } from "../http.ts";

export interface TunnelPort {
  readonly port: number;
  /** Ends all connections of the port. */
  close(): Promise<void>;
}

export interface ProgramEnd {
  /** Undefined: a signal ended it. */
  readonly code: number | undefined;
}

export interface TunnelParts {
  /** Opens a port on loopback whose connections count as connections of strangers. */
  listen(http: Http): Promise<TunnelPort>;
  /**
   * Runs a program until it ends, or until `signal` aborts, which ends it with its children. It also
   * ends when the house is killed. `onLine` gets each line of its output and of its error output.
   * Rejects with `tunnel.failed` if the program is not installed.
   */
  run(command: readonly string[], onLine: (line: string) => void, signal: AbortSignal): Promise<ProgramEnd>;
}
