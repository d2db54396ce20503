/** What agents remember: looking it up, keeping facts, forgetting them, and the index behind it. */
import type { MemoryStatus, RecalledFact, SourceForgotten } from "@hearth/protocol";
import { type Context, defineCommand, type Group } from "../command.ts";
import { defaultBot } from "../default-bot.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Output } from "../output.ts";
import { safeLine, safeText } from "../safe-text.ts";

const LOOKS = "x on the agent's house, or to be it";
const DECIDES = "x on the agent's house";
const agentFlag = { kind: "text", value: "AGENT", summary: "whose memory (main, or the only bot)" } as const;

const search = defineCommand({
  summary: "Looks through an agent's memory, by words and by meaning",
  needs: LOOKS,
  args: [{ name: "QUERY" }],
  flags: {
    agent: agentFlag,
    limit: { kind: "number", value: "COUNT", min: 1, max: 50, summary: "how many (5)" },
  },
  details:
    "The place before each is what `memory forget` takes. What is marked with `?` others wrote. The first search starts the memory process.",
  examples: ['hearth memory search "when was the boiler serviced?"', "hearth memory search boiler --agent main --json"],
  async run({ connect, json, output }, { agent, limit }, [query = ""]) {
    const { memories, whose } = await open(connect, agent);
    const answer = await memories.recall(whose, { query, ...(limit === undefined ? {} : { limit }) });
    if (json) output.json(answer);
    else {
      for (const fact of answer.found) for (const line of toLines(fact)) output.line(line);
      if (answer.found.length === 0) output.note("Nothing was found.");
      if (answer.mode === "none")
        output.note("Nothing is indexed: see [memory] in hearth.toml, and hearth agent edit NAME --retrieval.");
      else if (answer.mode === "lexical") output.note("Found by words alone: other words may find more.");
      if (answer.problem !== undefined) output.note(safeLine(answer.problem));
      if (answer.rebuilding) output.note("The index is being made: there may be more.");
    }
    return exitCodes.done;
  },
});

const remember = defineCommand({
  summary: "Keeps a fact in an agent's memory",
  needs: DECIDES,
  args: [{ name: "TEXT" }],
  flags: {
    agent: agentFlag,
    replaces: {
      kind: "text",
      value: "OLD",
      summary: "the fact that does not hold any more: some of its words, or its place",
    },
  },
  details: "What is replaced stays in its file, struck through, and is not found any more.",
  examples: [
    'hearth memory remember "The boiler was serviced in May."',
    'hearth memory remember "Ana lives in Rome." --replaces "Ana lives in Bern"',
  ],
  async run({ connect, json, output }, { agent, replaces }, [text = ""]) {
    const { memories, whose } = await open(connect, agent);
    const kept = await memories.remember(whose, { text, ...(replaces === undefined ? {} : { replaces }) });
    if (json) output.json(kept);
    else {
      output.line(kept.wasKnown ? `${safeText(kept.path)} says so already` : `kept in ${safeText(kept.path)}`);
      for (const line of kept.replaced) output.note(`replaced: ${safeLine(line)}`);
    }
    return exitCodes.done;
  },
});

const forget = defineCommand({
  summary: "Forgets what came from a source, for good",
  needs: DECIDES,
  args: [{ name: "SOURCE" }],
  flags: {
    agent: agentFlag,
    replies: { kind: "switch", summary: "take back all that the agent said in turns that had read it" },
  },
  details: [
    "SOURCE is a place as `memory search` shows it, a file of the brain, the id of a message or an activation, a URL or a host.",
    "It goes from files, from every version of them, from what turns were given and did, from summaries, from the index, and with what the agent itself said of it. A message that is named goes from its room too; what people said otherwise they take back there.",
    "What the agent said in a turn that had read it goes where it has some words in a row, a number or a name of it. The rest stays and is listed: the same said in other words is not found by words. With --replies that goes too.",
  ].join("\n"),
  examples: ["hearth memory forget MEMORY.md:12", "hearth memory forget https://example.org/page --agent main"],
  async run({ connect, json, output }, { agent, replies }, [source = ""]) {
    const { memories, whose } = await open(connect, agent);
    const forgotten = await memories.forget(whose, { source, ...(replies ? { replies } : {}) });
    if (json) output.json(forgotten);
    else {
      const { files, versions, steps, messages, summaries, running } = forgotten;
      output.line(`forgotten: ${files.length === 0 ? "no file holds it any more" : files.map(safeText).join(", ")}`);
      output.note(`${versions} versions and ${steps} results of calls hold less.`);
      if (messages + summaries > 0) output.note(`${messages} messages and ${summaries} summaries are gone.`);
      if (running > 0) output.note(`${running} turns still run: what they held goes when they are over.`);
      for (const line of keptLines(forgotten, source)) output.note(line);
    }
    return exitCodes.done;
  },
});

/** Whoever named their agent has none called main any more. */
const open = async (connect: Context["connect"], agent: string | undefined) => {
  const client = await connect();
  const whose = agent ?? defaultBot(await client.agents.list(), ASKING).handle;
  return { memories: await client.memories(), whose };
};

const ASKING = { question: "Whose memory?", before: "--agent" } as const;

const keptLines = ({ kept, keptCount }: SourceForgotten, source: string): readonly string[] => {
  if (keptCount === 0) return [];
  const more = keptCount - kept.length;
  return [
    ...kept.map(({ id, text }) => `kept, was written in a turn that had read it: ${id} “${safeLine(text)}”`),
    ...(more > 0 ? [`kept too: ${more} older ones`] : []),
    "Words of it were not found in these; what says it in other words is not found by words.",
    `To take these back too: hearth memory forget ${JSON.stringify(safeLine(source))} --replies`,
  ];
};

const status = defineCommand({
  summary: "Shows how far an agent's index is",
  needs: LOOKS,
  args: [],
  flags: { agent: agentFlag },
  examples: ["hearth memory status", "hearth memory status --agent main --json"],
  async run({ connect, json, output }, { agent }) {
    const { memories, whose } = await open(connect, agent);
    const found = await memories.status(whose);
    if (json) output.json(found);
    else tellStatus(output, found);
    return exitCodes.done;
  },
});

const check = defineCommand({
  summary: "Checks that an agent's index is whole; exit code 1 when it is not",
  needs: LOOKS,
  args: [],
  flags: { agent: agentFlag },
  details: "An index is derived from the files: `memory reindex` makes it anew.",
  examples: ["hearth memory check"],
  async run({ connect, json, output }, { agent }) {
    const { memories, whose } = await open(connect, agent);
    const found = await memories.status(whose);
    const isWhole = !found.rebuilding && found.problem === undefined;
    if (json) output.json({ ...found, isWhole });
    else tellStatus(output, found);
    return isWhole ? exitCodes.done : exitCodes.failed;
  },
});

const reindex = defineCommand({
  summary: "Makes an agent's index anew from its files",
  needs: DECIDES,
  args: [],
  flags: { agent: agentFlag },
  examples: ["hearth memory reindex --agent main"],
  async run({ connect, json, output }, { agent }) {
    const { memories, whose } = await open(connect, agent);
    const found = await memories.reindex(whose);
    if (json) output.json(found);
    else tellStatus(output, found);
    return exitCodes.done;
  },
});

const toLines = ({ path, headings, lines: [first, last], date, text, label }: RecalledFact): readonly string[] => {
  const about = [...headings, ...(date === undefined ? [] : [date])].map(safeLine).join(", ");
  const isOthers = label.integrity === "untrusted";
  const mark = isOthers ? "? " : "  ";
  const from = isOthers ? ` from ${label.sources.map(safeLine).join(", ")}` : "";
  const place = `${safeLine(path)}:${first}${last === first ? "" : `-${last}`}`;
  return [
    `${place}${about === "" ? "" : ` (${about})`}${from}`,
    ...text.split("\n").map((line) => `${mark}${safeText(line)}`),
  ];
};

const sentence = ({ files, chunks, vectors, embedder, catchingUp, rebuilding, problem }: MemoryStatus): string =>
  [
    `${files} files in ${chunks} pieces`,
    ...(rebuilding ? ["the index is being made"] : []),
    ...(catchingUp ? [`meaning is catching up with words: ${vectors} of ${chunks}`] : []),
    ...(problem === undefined ? [] : [`by words alone: ${safeLine(problem)}`]),
    ...(embedder === undefined ? [] : [`meaning by ${safeLine(embedder)}`]),
  ].join("; ");

const tellStatus = (output: Output, found: MemoryStatus): void => {
  output.line(sentence(found));
  for (const { path, why } of found.leftOut) output.note(`left out: ${safeLine(path)}: ${safeLine(why)}`);
};

export const memory: Group = {
  kind: "group",
  summary: "What agents remember: looking it up, keeping and forgetting",
  verbs: { search, remember, forget, status, check, reindex },
};
