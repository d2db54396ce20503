/**
 * The table `[compaction]`: when a summary replaces the oldest part of a conversation, and which
 * model writes the summary.
 */
import { ModelName } from "@hearth/protocol";
import { z } from "zod";

export interface CompactionConfig {
  /**
   * Number of tokens kept free for the results and the answer of a turn. Absent if it is derived
   * from the model's limit.
   */
  readonly reserve?: number;
  /** Context sizes by prefix of `provider/model`. They override the built-in sizes. */
  readonly limits: ReadonlyMap<string, number>;
  /** The model that writes summaries, `provider/model`. Absent for the agent's own model. */
  readonly model?: string;
}

const TOKENS_ERROR = "must be a whole number of tokens from 1000 to 100000000";
const tokens = z.int(TOKENS_ERROR).min(1000, TOKENS_ERROR).max(100_000_000, TOKENS_ERROR);

export const CompactionText = z.strictObject({
  reserve: tokens.optional(),
  model: ModelName.optional(),
  limits: z
    .record(
      z.string().regex(/^[a-z][a-z0-9-]{0,63}\/\S*$/, "is neither provider/model nor a prefix of such names"),
      tokens,
    )
    .prefault({}),
});

export const toCompaction = ({ reserve, model, limits }: z.infer<typeof CompactionText>): CompactionConfig => ({
  limits: new Map(Object.entries(limits)),
  ...(reserve === undefined ? {} : { reserve }),
  ...(model === undefined ? {} : { model }),
});
