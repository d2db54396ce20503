/** The offline provider's moves for each kind of request, one move at a time. Pure. */
import { block, escapeRegExp, type Move, oneCall, type RequestContext } from "./offline-move.ts";
import { namesMove } from "./offline-names.ts";
import { recallMove, rememberMove } from "./offline-notes.ts";
import type { Request } from "./offline-requests.ts";

export const answerRequest = (request: Request, context: RequestContext): Move => {
  switch (request.kind) {
    case "remember":
      return rememberMove(request.text, context);
    case "recall":
      return recallMove(request.text, context);
    case "list":
      return oneCall(context, "list", request.path === "" ? {} : { path: request.path }, (text) =>
        block(request.path === "" ? "Here is what is in my workspace:" : `In \`${request.path}\`:`, text),
      );
    case "read":
      return oneCall(context, "read", { path: request.path }, (text) => block(`\`${request.path}\`:`, text));
    case "write":
      return oneCall(
        context,
        "write",
        { path: request.path, content: `${request.text}\n` },
        () => `Done: it is in \`${request.path}\`.`,
      );
    case "search":
      return oneCall(
        context,
        "grep",
        {
          pattern: escapeRegExp(request.pattern),
          ignoreCase: true,
          ...(request.path === "" ? {} : { path: request.path }),
        },
        (text) => block(`I searched for “${request.pattern}”:`, text),
      );
    case "run":
      return oneCall(context, "shell", { command: request.command }, (text) => block("The command ran:", text));
    case "time":
      return oneCall(
        context,
        "time",
        request.zone === "" ? {} : { zone: request.zone },
        (text) => `It is ${text.trim()}.`,
      );
    case "names":
      return namesMove(request, context);
    case "remind":
      return { say: REMIND };
    case "due":
      return { say: `Reminder: ${request.text}` };
    case "help":
      return { say: `Here is what I understand:\n\n${SKILLS}\n\n${HOW_TO_GET_A_MODEL}` };
    case "greeting":
      return {
        say: `Hello! I am the built-in helper of this house. I am not a language model and understand only a few requests:\n\n${SKILLS}\n\n${HOW_TO_GET_A_MODEL}`,
      };
    case "unknown":
      return {
        say: `I am not a language model, so I do not understand that. What I can do:\n\n${SKILLS}\n\n${HOW_TO_GET_A_MODEL}`,
      };
  }
};

const SKILLS = [
  "- `remember …` and `what do you know about …`",
  "- `list FOLDER`, `read FILE`, `write FILE: TEXT`, `search TEXT`",
  "- `run COMMAND`",
  "- `call me NAME`, `your name is NAME`",
  "- `what time is it`",
  "- `help`",
].join("\n");

const HOW_TO_GET_A_MODEL = [
  "To talk freely, give me a real model:",
  "",
  "```",
  "hearth provider add anthropic --kind anthropic --api-key env:ANTHROPIC_API_KEY",
  "hearth agent edit main --model anthropic/claude-sonnet-5-5",
  "```",
].join("\n");

const REMIND =
  'I understand that you want this later. A language model would schedule it; I am not one, so I have set nothing. You can: `hearth job add main --name call --when "in 20 minutes" --prompt "…"`. I can keep it as a note: `remember …`.';
