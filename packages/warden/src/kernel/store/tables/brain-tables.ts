/**
 * The tables of brains: the known state of each file, its versions, the authors of its lines, and
 * pending proposals.
 */

export interface BrainTables {
  /** The last known state of files. */
  brain_files: {
    readonly agent: string;
    readonly path: string;
    /** SHA-256 of the expected content. Null: the file is deleted. */
    readonly hash: string | null;
    readonly size: number;
    /** The stamp of the file on disk; "" for none. */
    readonly stamp: string;
    /**
     * 1: that file has `hash`. 0: it is the previous one, and the new content may not have reached
     * the disk.
     */
    readonly settled: number;
    /**
     * For a guarded file: the content that a person last approved. Null: that it does not exist.
     */
    readonly approved: string | null;
  };
  /** The versions of each file, in the order of the brain. */
  brain_versions: {
    readonly agent: string;
    /** Increases by one within a brain. */
    readonly place: number;
    /** Shared by files that changed together. */
    readonly change: string;
    readonly kind: string;
    readonly at: number;
    /** Null: edited on disk. */
    readonly by: string | null;
    readonly activation: string | null;
    readonly path: string;
    readonly before: string | null;
    readonly after: string | null;
    /** 1: a part of it has been erased. */
    readonly erased: number;
    readonly note: string | null;
  };
  /** Contents of versions and proposals, by the SHA-256 of their bytes. */
  brain_bodies: {
    readonly agent: string;
    readonly hash: string;
    /** Null: stored as the blob of this hash. */
    readonly text: string | null;
  };
  /** Lines that were not written by the owner. */
  brain_lines: {
    readonly agent: string;
    readonly path: string;
    /** SHA-256 of the trimmed line. */
    readonly line: string;
    readonly labels: string;
    readonly activation: string | null;
    readonly at: number;
  };
  /** Changes of guarded files that need a person's decision. */
  brain_proposals: {
    readonly id: string;
    readonly house: string;
    readonly agent: string;
    readonly activation: string | null;
    readonly path: string;
    /** The content before and after. Null: the file does not exist. */
    readonly before: string | null;
    readonly after: string | null;
    readonly why: string;
    /** 1: the agent is blocked until it is decided. */
    readonly halts: number;
    readonly labels: string;
    readonly state: string;
    readonly at: number;
    readonly by: string | null;
    readonly reason: string | null;
    readonly decided_at: number | null;
  };
}
