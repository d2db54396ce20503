/** What a tool may say of the machine it runs on. */

export interface Machine {
  /** All in bytes; what a cell is limited to counts, where it can be seen. */
  look(): Promise<{
    readonly system: string;
    readonly processors: number;
    readonly processor: string;
    readonly memory: number;
    readonly freeMemory: number;
    readonly disk: number;
    readonly freeDisk: number;
  }>;
}
