/** The tables of streams that others write: bytes, who writes and who is told. */

export interface StreamTables {
  /** Streams that agents made for themselves. What is in one are the events of `bytes:ID`. */
  byte_streams: {
    readonly id: string;
    readonly house: string;
    readonly path: string;
    /** The agent that made it. */
    readonly owner: string;
    readonly content_type: string;
    readonly ttl_seconds: number | null;
    /** When it goes, as its maker said. */
    readonly expires_at: number | null;
    /** When it goes, as it stands: reading and writing move it where there is a time to live. */
    readonly due_at: number | null;
    /** `open → closed → gone`; a row that is gone is kept for its forks alone. */
    readonly state: string;
    /** The greatest `Stream-Seq`. */
    readonly last_seq: string | null;
    /** The stream that it was forked from, and where: as asked, */
    readonly source: string | null;
    readonly fork_offset: number;
    readonly fork_sub: number;
    /** and the last offset that is read from there. Its own events follow. */
    readonly base: number;
    /** Streams that read on in this one. */
    readonly forks: number;
    readonly created_at: number;
  };
  /** The last append of each idempotent producer. */
  byte_producers: {
    readonly stream: string;
    readonly producer: string;
    readonly epoch: number;
    readonly seq: number;
  };
  /** Who is woken when streams of a house grow. */
  subscriptions: {
    readonly house: string;
    readonly id: string;
    readonly owner: string;
    /** How it was asked for, JSON. */
    readonly config: string;
    /** What its tokens are derived from. */
    readonly secret: string;
    /** Counts its wakes. */
    readonly generation: number;
    /** The id of the wake that is under way. */
    readonly wake: string | null;
    /** The worker that has claimed it. */
    readonly holder: string | null;
    readonly lease_until: number | null;
    /** Deliveries of this wake that failed, */
    readonly attempts: number;
    /** and when the next one is due. */
    readonly retry_at: number | null;
    readonly created_at: number;
  };
  /** Which streams a subscription looks at, and how far they have been dealt with. */
  subscription_links: {
    readonly house: string;
    readonly subscription: string;
    readonly path: string;
    /** The stream that was there last: another one at its path is read from its beginning. */
    readonly stream: string | null;
    /** 1: it was named. */
    readonly is_explicit: number;
    /** 1: it fits the pattern. */
    readonly is_matched: number;
    readonly acked: number;
  };
  /** Ed25519: what the house signs webhooks with. */
  signing_keys: {
    readonly id: string;
    readonly public: string;
    readonly secret: string;
    readonly created_at: number;
  };
}
