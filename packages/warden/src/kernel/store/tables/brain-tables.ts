/** The tables of brains: what is known of each file, what became of it, who wrote its lines, and what waits for a person's word. */

export interface BrainTables {
  /** Files as they were last seen. */
  brain_files: {
    readonly agent: string;
    readonly path: string;
    /** SHA-256 of what it is to hold. Null: it is gone. */
    readonly hash: string | null;
    readonly size: number;
    /** The file on the disk that was seen; "" for none. */
    readonly stamp: string;
    /** 1: that file holds `hash`. 0: it is the one before, and what was written over it may not have reached the disk. */
    readonly settled: number;
    /** Of what is guarded: what a person approved last. Null: that there be none. */
    readonly approved: string | null;
  };
  /** What became of each file, in the order of its brain. */
  brain_versions: {
    readonly agent: string;
    /** Grows by one within a brain. */
    readonly place: number;
    /** What changed at once has one. */
    readonly change: string;
    readonly kind: string;
    readonly at: number;
    /** Null: whoever has the files on this machine. */
    readonly by: string | null;
    readonly activation: string | null;
    readonly path: string;
    readonly before: string | null;
    readonly after: string | null;
    /** 1: something that was in it has been erased. */
    readonly erased: number;
    readonly note: string | null;
  };
  /** What versions and proposals hold, by the SHA-256 of its bytes. */
  brain_bodies: {
    readonly agent: string;
    readonly hash: string;
    /** Null: it is the blob of this hash. */
    readonly text: string | null;
  };
  /** Lines that somebody else than the owner wrote. */
  brain_lines: {
    readonly agent: string;
    readonly path: string;
    /** SHA-256 of the line, without space around it. */
    readonly line: string;
    readonly labels: string;
    readonly activation: string | null;
    readonly at: number;
  };
  /** Changes of what is guarded that a person is, or was, asked about. */
  brain_proposals: {
    readonly id: string;
    readonly house: string;
    readonly agent: string;
    readonly activation: string | null;
    readonly path: string;
    /** What the file held, and what it would hold. Null: there would be none. */
    readonly before: string | null;
    readonly after: string | null;
    readonly why: string;
    /** 1: the agent does nothing until it is decided. */
    readonly halts: number;
    readonly labels: string;
    readonly state: string;
    readonly at: number;
    readonly by: string | null;
    readonly reason: string | null;
    readonly decided_at: number | null;
  };
}
