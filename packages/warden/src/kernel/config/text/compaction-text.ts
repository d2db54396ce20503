/** What `[compaction]` may say: how long a conversation a model is given before its oldest stretch becomes a summary, and who writes that. */
import { ModelName } from "@hearth/protocol";
import { z } from "zod";

export interface CompactionConfig {
  /** Tokens that stay free for what a turn adds: its tools' results, its answer. Absent: by the model's limit. */
  readonly reserve?: number;
  /** Tokens that a model takes, by the beginning of `provider/model`: before what is known of it. */
  readonly limits: ReadonlyMap<string, number>;
  /** Who writes summaries, `provider/model`. Absent: the agent's own model. */
  readonly model?: string;
}

const Tokens = "must be a whole number of tokens from 1000 to 100000000";
const tokens = z.int(Tokens).min(1000, Tokens).max(100_000_000, Tokens);

export const CompactionText = z.strictObject({
  reserve: tokens.optional(),
  model: ModelName.optional(),
  limits: z
    .record(
      z.string().regex(/^[a-z][a-z0-9-]{0,63}\/\S*$/, "is not provider/model, nor the beginning of such names"),
      tokens,
    )
    .prefault({}),
});

export const toCompaction = ({ reserve, model, limits }: z.infer<typeof CompactionText>): CompactionConfig => ({
  limits: new Map(Object.entries(limits)),
  ...(reserve === undefined ? {} : { reserve }),
  ...(model === undefined ? {} : { model }),
});
