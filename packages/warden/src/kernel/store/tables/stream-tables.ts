/** The tables of byte streams, their producers and subscriptions. */

export interface StreamTables {
  /** Byte streams that agents created. Their content is the events of `bytes:ID`. */
  byte_streams: {
    readonly id: string;
    readonly house: string;
    readonly path: string;
    /** The agent that created it. */
    readonly owner: string;
    readonly content_type: string;
    readonly ttl_seconds: number | null;
    /** When it expires, as set at its creation. */
    readonly expires_at: number | null;
    /** When it expires at present: with a time to live, reads and writes extend it. */
    readonly due_at: number | null;
    /** `open → closed → gone`; a row that is gone stays only for its forks. */
    readonly state: string;
    /** The greatest `Stream-Seq`. */
    readonly last_seq: string | null;
    /** The source of a fork, and the requested position in it. */
    readonly source: string | null;
    readonly fork_offset: number;
    readonly fork_sub: number;
    /** The last offset read from the source. Its own events follow. */
    readonly base: number;
    /** The number of streams forked from it. */
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
  /** Subscriptions, which are notified when streams of a house grow. */
  subscriptions: {
    readonly house: string;
    readonly id: string;
    readonly owner: string;
    /** The requested settings, as JSON. */
    readonly config: string;
    /** Its tokens are derived from this. */
    readonly secret: string;
    /** Counts its wakes. */
    readonly generation: number;
    /** The id of the wake in progress. */
    readonly wake: string | null;
    /** The worker that has claimed it. */
    readonly holder: string | null;
    readonly lease_until: number | null;
    /** Failed deliveries of this wake. */
    readonly attempts: number;
    /** When the next delivery is due. */
    readonly retry_at: number | null;
    readonly created_at: number;
  };
  /** The streams of a subscription, and their acknowledged positions. */
  subscription_links: {
    readonly house: string;
    readonly subscription: string;
    readonly path: string;
    /** The last stream at this path; another one is read from its beginning. */
    readonly stream: string | null;
    /** 1: subscribed by name. */
    readonly is_explicit: number;
    /** 1: matches the pattern. */
    readonly is_matched: number;
    readonly acked: number;
  };
  /** Ed25519 keys that sign webhooks of the house. */
  signing_keys: {
    readonly id: string;
    readonly public: string;
    readonly secret: string;
    readonly created_at: number;
  };
}
