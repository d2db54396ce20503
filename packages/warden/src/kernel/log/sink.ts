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
   * Makes the current file the first old file, the first old file the second, and so on. Keeps
   * `count` old files and overwrites the oldest.
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
