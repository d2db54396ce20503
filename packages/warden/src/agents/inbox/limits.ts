/** The limits of a delegation, as stored in its inbox row. */
import { z } from "zod";

export const Limits = z.object({
  /** The delegating agent's tools. The child uses those that it has too. */
  tools: z.array(z.string()),
  maxToolCalls: z.int().nonnegative(),
});
export type Limits = z.infer<typeof Limits>;
