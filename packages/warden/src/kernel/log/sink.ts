/** Where log lines go. */

/**
 * Contract, checked by `sinkConformance`:
 * - takes one line, without its end, and keeps the order
 * - never throws: a log failure must not stop the daemon
 */
export interface Sink {
  write(line: string): void;
}

/** A rotating file. All of its functions may throw, for example when the disk is full. */
export interface LogDisk {
  /** Size of the current file; 0 if it does not exist. */
  sizeBytes(): number;
  append(text: string): void;
  /**
   * Renames the file to the first old one, the first to the second, and so on; keeps `count` old
   * ones.
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
