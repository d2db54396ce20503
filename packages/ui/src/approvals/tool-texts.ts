/** The title and the risks of a tool, in the words of the agent's settings. Pure. */
import { risks, toolTexts } from "../language/tools/text.ts";

/** Returns the title, such as "Write files". Undefined for an external tool. */
export const titleOfTool = (name: string): string | undefined => toolTexts(name)?.title;

/** Returns what a call can do, such as "Changes files". Empty for an external tool. */
export const risksOf = (name: string): readonly string[] => toolTexts(name)?.risks.map((risk) => risks[risk]) ?? [];
