/**
 * `hearth memory`: searches, adds and deletes what agents remember, and manages the search index.
 */
import type { MemoryStatus, RecalledFact, SourceForgotten } from "@hearth/protocol";
import { type Context, defineCommand, type Group } from "../command.ts";
import { findDefaultBot } from "../args/default-bot.ts";
import { exitCodes } from "../exit-codes.ts";
import { countOf } from "../show/count.ts";
import type { Output } from "../show/output.ts";
import { safeLine, safeText } from "../show/safe-text.ts";

const READ_NEEDS = "x on the agent's house, or the agent itself";
const ADMIN_NEEDS = "x on the agent's house";
const agentFlag = {
  kind: "text",
  value: "AGENT",
  summary: "the agent whose memory is used (default: main, or the only bot)",
} as const;

const search = defineCommand({
  summary: "Searches an agent's memory by keywords and by meaning",
  needs: READ_NEEDS,
  args: [{ name: "QUERY" }],
  flags: {
    agent: agentFlag,
    limit: { kind: "number", value: "COUNT", min: 1, max: 50, summary: "at most this many (default: 5)" },
  },
  details:
    "Each result begins with its location, which `memory forget` accepts. `?` marks text that does not come from the owner. The first search starts the memory process.",
  examples: ['hearth memory search "when was the boiler serviced?"', "hearth memory search boiler --agent main --json"],
  async run({ connect, json, output }, { agent, limit }, [query = ""]) {
    const { memories, agentName } = await openMemories(connect, agent);
    const answer = await memories.recall(agentName, { query, ...(limit === undefined ? {} : { limit }) });
    if (json) output.json(answer);
    else {
      for (const fact of answer.found) for (const line of toLines(fact)) output.line(line);
      if (answer.found.length === 0) output.note("No matches.");
      if (answer.mode === "none")
        output.note(
          "Nothing is indexed. See the settings: hearth config list memory. For one agent: hearth agent edit NAME --retrieval",
        );
      else if (answer.mode === "lexical")
        output.note("Keyword search only. Texts that use different words are not found.");
      if (answer.problem !== undefined) output.note(safeLine(answer.problem));
      if (answer.rebuilding) output.note("The index is being rebuilt, so results may be incomplete.");
    }
    return exitCodes.done;
  },
});

const remember = defineCommand({
  summary: "Stores a fact in an agent's memory",
  needs: ADMIN_NEEDS,
  args: [{ name: "TEXT" }],
  flags: {
    agent: agentFlag,
    replaces: {
      kind: "text",
      value: "OLD",
      summary: "the outdated fact: some of its words, or its location",
    },
  },
  details: "The replaced fact stays in its file, struck through, and searches no longer find it.",
  examples: [
    'hearth memory remember "The boiler was serviced in May."',
    'hearth memory remember "Ana lives in Rome." --replaces "Ana lives in Bern"',
  ],
  async run({ connect, json, output }, { agent, replaces }, [text = ""]) {
    const { memories, agentName } = await openMemories(connect, agent);
    const outcome = await memories.remember(agentName, { text, ...(replaces === undefined ? {} : { replaces }) });
    if (json) output.json(outcome);
    else {
      output.line(
        outcome.wasKnown
          ? `${safeText(outcome.path)} already contains this fact`
          : `stored in ${safeText(outcome.path)}`,
      );
      for (const line of outcome.replaced) output.note(`replaced: ${safeLine(line)}`);
    }
    return exitCodes.done;
  },
});

const forget = defineCommand({
  summary: "Deletes everything that came from a source, permanently",
  needs: ADMIN_NEEDS,
  args: [{ name: "SOURCE" }],
  flags: {
    agent: agentFlag,
    replies: {
      kind: "switch",
      summary: "also delete every message that the agent wrote in turns that had read the source",
    },
  },
  details: [
    "SOURCE is a location from `memory search`, a file of the brain, the id of a message or an activation, a URL or a host.",
    "Deletes it from files and all their versions, from the records of turns, from summaries, from the index, and from what the agent itself said about it. If SOURCE is a message, the message is deleted from its room too. Other messages of people are kept: their authors can delete them in the room.",
    "Messages that the agent wrote after reading SOURCE are deleted if they repeat several words in a row, a number or a name of it. Paraphrases cannot be found this way: the other messages are kept and listed. --replies deletes them too.",
  ].join("\n"),
  examples: ["hearth memory forget MEMORY.md:12", "hearth memory forget https://example.org/page --agent main"],
  async run({ connect, json, output }, { agent, replies }, [source = ""]) {
    const { memories, agentName } = await openMemories(connect, agent);
    const outcome = await memories.forget(agentName, { source, ...(replies ? { replies } : {}) });
    if (json) output.json(outcome);
    else {
      const { files, versions, steps, messages, summaries, running } = outcome;
      output.line(`forgotten: ${files.length === 0 ? "no file contained it" : files.map(safeText).join(", ")}`);
      output.note(`Text was removed from ${countOf(versions, "version")} and ${countOf(steps, "call result")}.`);
      if (messages + summaries > 0)
        output.note(`Deleted: ${countOf(messages, "message")}, ${countOf(summaries, "summary", "summaries")}.`);
      if (running > 0)
        output.note(`Still running: ${countOf(running, "turn")}. Text of a running turn is deleted when it ends.`);
      for (const line of describeKeptMessages(outcome, source)) output.note(line);
    }
    return exitCodes.done;
  },
});

/** Returns the memory calls and handle of an agent: the named one, or else `main` or the only bot. */
const openMemories = async (connect: Context["connect"], agent: string | undefined) => {
  const client = await connect();
  const agentName = agent ?? findDefaultBot(await client.agents.list(), BOT_QUESTION).handle;
  return { memories: await client.memories(), agentName };
};

const BOT_QUESTION = { question: "Several bots have a memory.", hintPrefix: "--agent" } as const;

const describeKeptMessages = ({ kept, keptCount }: SourceForgotten, source: string): readonly string[] => {
  if (keptCount === 0) return [];
  const olderCount = keptCount - kept.length;
  return [
    ...kept.map(({ id, text }) => `kept, written in a turn that had read it: ${id} “${safeLine(text)}”`),
    ...(olderCount > 0 ? [`also kept: ${olderCount} older messages`] : []),
    "These messages repeat no words of the source, but they may paraphrase it.",
    `To delete these too: hearth memory forget ${JSON.stringify(safeLine(source))} --replies`,
  ];
};

const status = defineCommand({
  summary: "Shows the state of an agent's memory index",
  needs: READ_NEEDS,
  args: [],
  flags: { agent: agentFlag },
  examples: ["hearth memory status", "hearth memory status --agent main --json"],
  async run({ connect, json, output }, { agent }) {
    const { memories, agentName } = await openMemories(connect, agent);
    const status = await memories.status(agentName);
    if (json) output.json(status);
    else describeStatus(output, status);
    return exitCodes.done;
  },
});

const check = defineCommand({
  summary: "Checks an agent's memory index; exits with 1 when it is incomplete",
  needs: READ_NEEDS,
  args: [],
  flags: { agent: agentFlag },
  details: "The index is derived from the files. To rebuild it: hearth memory reindex",
  examples: ["hearth memory check"],
  async run({ connect, json, output }, { agent }) {
    const { memories, agentName } = await openMemories(connect, agent);
    const status = await memories.status(agentName);
    const isComplete = !status.rebuilding && status.problem === undefined;
    if (json) output.json({ ...status, isWhole: isComplete });
    else describeStatus(output, status);
    return isComplete ? exitCodes.done : exitCodes.failed;
  },
});

const reindex = defineCommand({
  summary: "Rebuilds an agent's memory index from its files",
  needs: ADMIN_NEEDS,
  args: [],
  flags: { agent: agentFlag },
  examples: ["hearth memory reindex --agent main"],
  async run({ connect, json, output }, { agent }) {
    const { memories, agentName } = await openMemories(connect, agent);
    const status = await memories.reindex(agentName);
    if (json) output.json(status);
    else describeStatus(output, status);
    return exitCodes.done;
  },
});

const toLines = ({
  path,
  headings,
  lines: [firstLine, lastLine],
  date,
  text,
  label,
}: RecalledFact): readonly string[] => {
  const headingText = [...headings, ...(date === undefined ? [] : [date])].map(safeLine).join(", ");
  const isUntrusted = label.integrity === "untrusted";
  const marker = isUntrusted ? "? " : "  ";
  const sourceNote = isUntrusted ? ` from ${label.sources.map(safeLine).join(", ")}` : "";
  const location = `${safeLine(path)}:${firstLine}${lastLine === firstLine ? "" : `-${lastLine}`}`;
  return [
    `${location}${headingText === "" ? "" : ` (${headingText})`}${sourceNote}`,
    ...text.split("\n").map((line) => `${marker}${safeText(line)}`),
  ];
};

const summarize = ({ files, chunks, vectors, embedder, catchingUp, rebuilding, problem }: MemoryStatus): string =>
  [
    `${countOf(files, "file")} in ${countOf(chunks, "chunk")}`,
    ...(rebuilding ? ["the index is being rebuilt"] : []),
    ...(catchingUp ? [`${vectors} of ${chunks} chunks are searchable by meaning so far`] : []),
    ...(problem === undefined ? [] : [`keyword search only: ${safeLine(problem)}`]),
    ...(embedder === undefined ? [] : [`embedding model: ${safeLine(embedder)}`]),
  ].join("; ");

const describeStatus = (output: Output, status: MemoryStatus): void => {
  output.line(summarize(status));
  for (const { path, why } of status.leftOut) output.note(`left out: ${safeLine(path)}: ${safeLine(why)}`);
};

export const memory: Group = {
  kind: "group",
  summary: "Searches, adds and deletes what agents remember",
  verbs: { search, remember, forget, status, check, reindex },
};
