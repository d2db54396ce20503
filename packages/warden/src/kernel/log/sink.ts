/** Where the diary's lines go. */

/**
 * Contract, checked by `sinkConformance`:
 * - takes one line, without its end, and keeps the order in which they came
 * - never throws, whatever becomes of the line: a diary must not end the day
 */
export interface Sink {
  write(line: string): void;
}

/** A file that grows, and makes room. Any of it may throw: a disk can be full, or gone. */
export interface LogDisk {
  /** Of the file that is written to; 0 when there is none. */
  sizeBytes(): number;
  append(text: string): void;
  /** The file becomes the first of the old ones, the first the second, and so on; of the old ones `count` stay. */
  rotate(count: number): void;
}

/** What sinks are made of. */
export interface SinkOptions {
  readonly disk: LogDisk;
  /** Writes to the standard error of the process. */
  readonly stderr: (text: string) => void;
}

export type SinkFactory = (options: SinkOptions) => Sink;
