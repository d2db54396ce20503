/** STOP: holds on the house or on agents that last until a person resumes them. */
import { z } from "zod";
import { AgentId } from "../base/ids.ts";

/** The whole house, or one agent. */
export const HoldScope = z.union([z.literal("house"), AgentId]);
export type HoldScope = z.infer<typeof HoldScope>;

export const Hold = z.object({
  scope: HoldScope,
  by: AgentId,
  /** UTC milliseconds. */
  at: z.int(),
});
export type Hold = z.infer<typeof Hold>;
export const HoldList = z.array(Hold);
export const Resumed = z.object({ resumed: z.boolean().describe("whether it was stopped") });
export type Resumed = z.infer<typeof Resumed>;

/**
 * Whether a person's message stops what runs and waits in its room. The whole message must be
 * "stop", in any case; "stop it" is an ordinary message.
 */
export const isStopCommand = (text: string): boolean => /^\s*\/?stop[\s.!]*$/i.test(text);
