/** The interface of the places that receive log lines. */

/**
 * Contract, checked by `sinkConformance`:
 * - a sink takes one line, without its end, and keeps the order
 * - it never throws: a failure of the log must not stop the daemon
 */
export interface Sink {
  write(line: string): void;
}

/** A rotating file. Each of its methods may throw, for example when the disk is full. */
export interface LogDisk {
  /** Returns the size of the current file, or 0 if it does not exist. */
  sizeBytes(): number;
  append(text: string): void;
  /**
   * Renames the current file to the first old file, the first old file to the second, and so on.
   * Keeps `count` old files and overwrites the oldest.
   */
  rotate(count: number): void;
}

/** Dependencies of sinks. */
export interface SinkOptions {
  readonly disk: LogDisk;
  /** Writes to the standard error of the process. */
  readonly stderr: (text: string) => void;
}

export type SinkFactory = (options: SinkOptions) => Sink;
