/**
 * The offline provider's first conversation: it writes its own name and its person's name into its
 * brain, and then removes the page that asks for them.
 */
import { type Move, type RequestContext, describeFailure, describeMissing } from "./offline-move.ts";

export interface Names {
  readonly kind: "names";
  readonly whose: "self" | "person";
  readonly name: string;
}

const WRITE_TOOL = "write_brain";

const files = {
  self: {
    path: "IDENTITY.md",
    placeholder: "Your person may write a name",
    write: selfText,
    describeDone: (name: string) => `I am ${name} from here on.`,
  },
  person: {
    path: "USER.md",
    placeholder: "Nothing is written here yet",
    write: personText,
    describeDone: (name: string) => `I will call you ${name}.`,
  },
} as const;

/** Text that only the page of the first conversation has. */
const FIRST_CONVERSATION_HEADING = "# Your first conversation";

export const namesMove = ({ whose, name }: Names, { offers, results, system }: RequestContext): Move => {
  const { path, write, describeDone } = files[whose];
  const otherFile = files[whose === "self" ? "person" : "self"];
  if (!offers.some((offer) => offer.name === WRITE_TOOL)) return { say: describeMissing(WRITE_TOOL) };
  const [writeResult, removeResult] = results;
  if (writeResult === undefined) return { call: WRITE_TOOL, input: { path, mode: "replace", text: write(name) } };
  const failure = [writeResult, removeResult].find((result) => result?.failed === true);
  if (failure !== undefined) return { say: describeFailure(failure.text) };
  const isNew = system.includes(FIRST_CONVERSATION_HEADING);
  if (isNew && removeResult === undefined && !system.includes(otherFile.placeholder))
    return { call: WRITE_TOOL, input: { path: "BOOTSTRAP.md", mode: "remove" } };
  const question = isNew && removeResult === undefined ? ` ${NAME_QUESTIONS[whose]}` : "";
  return { say: `${describeDone(name)} It is in my \`${path}\`.${question}` };
};

/** The question for the other name. */
const NAME_QUESTIONS = {
  self: "And what may I call you? Write `call me NAME`.",
  person: "And what am I called? Write `your name is NAME`.",
} as const;

function selfText(name: string): string {
  return `# Who you are\n\nYour name is ${name}. You are an agent at home in Hearth, sharing rooms with people and other agents.\n`;
}

function personText(name: string): string {
  return `# Your person\n\nThey like to be called ${name}.\n`;
}
