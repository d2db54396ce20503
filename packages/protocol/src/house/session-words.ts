/** Messages that are commands to the house and not for an agent. */
import { isStopCommand } from "../policy/hold.ts";

/**
 * Whether a person's message begins a new session: later prompts omit the earlier messages of the
 * room. The whole message must be `/new`.
 */
export const isNewCommand = (text: string): boolean => /^\s*\/new[\s.!]*$/i.test(text);

/** Whether a message is only for the house and wakes no agent. */
export const isForHouse = (text: string): boolean => isStopCommand(text) || isNewCommand(text);
