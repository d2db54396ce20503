/** The hardware information that tools may report. */

export interface Machine {
  /**
   * Sizes are in bytes. The limits of a cell replace the machine's values where they are visible.
   */
  describe(): Promise<{
    readonly system: string;
    readonly processors: number;
    readonly processor: string;
    readonly memory: number;
    readonly freeMemory: number;
    readonly disk: number;
    readonly freeDisk: number;
  }>;
}
