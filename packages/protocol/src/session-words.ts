/** Messages that are for the house and not for an agent. */
import { saysStop } from "./hold.ts";

/** Whether a message of a person begins a new session: what stands before it in its room is not read any more. The whole message says it. */
export const saysNew = (text: string): boolean => /^\s*\/new[\s.!]*$/i.test(text);

/** Whether it is for the house alone and wakes nobody. */
export const isForHouse = (text: string): boolean => saysStop(text) || saysNew(text);
