/** Durable streams that count their followers. */
import type { DurableStreams } from "../../kernel/streams/streams.ts";

export interface ReadCounts {
  readonly followers: number;
  readonly batches: number;
}

export const countReaders = (
  streams: DurableStreams,
): { readonly reading: ReadCounts; readonly streams: DurableStreams } => {
  const reading = { followers: 0, batches: 0 };
  return {
    reading,
    streams: {
      ...streams,
      async *follow(...followArguments: Parameters<DurableStreams["follow"]>) {
        reading.followers += 1;
        try {
          for await (const batch of streams.follow(...followArguments)) {
            reading.batches += 1;
            yield batch;
          }
        } finally {
          reading.followers -= 1;
        }
      },
    },
  };
};
