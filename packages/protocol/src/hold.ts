/** STOP: who does nothing until a person says resume. */
import { z } from "zod";
import { AgentId } from "./ids.ts";

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

/** Whether a message of a person ends what runs and waits in its room. The whole message says it, however it is written; "stop it" is for the agent. */
export const saysStop = (text: string): boolean => /^\s*\/?stop[\s.!]*$/i.test(text);
