/** What a delegation may use at most, as its row in the inbox has it. */
import { z } from "zod";

export const Limits = z.object({
  /** Tools that whoever delegated has; what it is delegated to uses those of them that it has too. */
  tools: z.array(z.string()),
  maxToolCalls: z.int().nonnegative(),
});
export type Limits = z.infer<typeof Limits>;
