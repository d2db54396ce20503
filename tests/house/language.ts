/** Finds wording in comments, strings and Markdown that STYLE.md refuses. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";

interface Rule {
  readonly pattern: RegExp;
  readonly instead: string;
  /** The rule applies only where a sentence begins. */
  readonly opens?: "any" | "comment";
}

const RULES: readonly Rule[] = [
  { pattern: /\bwhoever\b/i, instead: "name the actor: the caller, the client, the user" },
  { pattern: /\b(some|no|any)body\b/i, instead: "name the actor: a person, another process, no client" },
  { pattern: /\banew\b/i, instead: 'write "again", or a verb such as "recreate" or "restart"' },
  { pattern: /(?<!\bthere )\b(is|are|was|were) none\b/i, instead: 'write "does not exist" or "is not a ..."' },
  { pattern: /\bto be had\b/i, instead: 'write "available"' },
  { pattern: /\bof its own\b/i, instead: 'write "its own ...", "a separate ..." or "a dedicated ..."' },
  { pattern: /\bby itself\b/i, instead: 'write "automatically" or "alone"' },
  { pattern: /\b(betwixt|hence|lest|nought|thereof|wherein|whence)\b/i, instead: "use a current word" },
  { pattern: /^(Of|Whose|Whom|Nor)\b/, instead: "begin with the subject", opens: "any" },
  {
    pattern: /^What (is|are|was|were|has|have|had|comes?|came|goes|went|stands?)\b(?!.*\?)/,
    instead: "begin with the subject: name the thing",
    opens: "comment",
  },
];

const MAX_COMMENT_COLUMNS = 120;

interface Exception {
  readonly path: RegExp;
  readonly reason: string;
}

/** Files whose text is data. */
export const EXCEPTIONS: readonly Exception[] = [
  { path: /^packages\/memory\/corpus\//, reason: "notes that recall is measured on; their words decide the figures" },
];

/** Findings of one text. Each names the place, the phrase and what to write instead. */
export const judgeLanguage = (path: string, text: string): readonly string[] => {
  let isFenced = false;
  return text.split("\n").flatMap((line, index) => {
    const place = `${path}:${index + 1}`;
    if (path.endsWith(".md") && /^\s*```/.test(line)) isFenced = !isFenced;
    if (isFenced) return [];
    const found = proseOf(path, line).flatMap((prose) => judgeProse(prose, place));
    const isWide = isComment(path, line) && line.length > MAX_COMMENT_COLUMNS;
    const wide = `${place} has a comment of ${line.length} columns: wrap it at 100 (refused from ${MAX_COMMENT_COLUMNS + 1})`;
    return isWide ? [...found, wide] : found;
  });
};

interface Prose {
  readonly kind: "comment" | "string" | "page";
  readonly text: string;
}

const judgeProse = ({ kind, text }: Prose, place: string): readonly string[] => {
  // A quoted word is mentioned, not used.
  const used = text.replaceAll(/`[^`]*`|"\w+"/g, "x").trim();
  const sentences = used.replace(/^([-*>#|\s]|\d+\.)+/, "").split(/(?<=[.:!?]) (?=[A-Z])/);
  return RULES.flatMap(({ pattern, instead, opens }) => {
    if (opens !== undefined && (kind === "string" || (opens === "comment" && kind !== "comment"))) return [];
    const places = opens === undefined ? [used] : sentences;
    const matches = places.flatMap((part) => pattern.exec(part)?.[0] ?? []);
    return matches.map((phrase) => `${place} says "${phrase}": ${instead}`);
  });
};

const isComment = (path: string, line: string): boolean =>
  path.endsWith(".sh") ? /^\s*#/.test(line) : !path.endsWith(".md") && /^\s*(?:\/\/|\/\*|\*)/.test(line);

const proseOf = (path: string, line: string): readonly Prose[] => {
  if (path.endsWith(".md")) return [{ kind: "page", text: line }];
  if (path.endsWith(".sh")) {
    const [, comment = "", text = ""] = /^\s*#\s(.*)|^(.*)$/.exec(line) ?? [];
    return comment === "" ? [{ kind: "string", text }] : [{ kind: "comment", text: comment }];
  }
  const whole = /^\s*(?:\/\/|\/\*\*?|\*)\s(.*?)(?:\*\/)?$/.exec(line)?.[1];
  if (whole !== undefined) return [{ kind: "comment", text: whole }];
  const trailing = /\s\/\/ (.*)$/.exec(line)?.[1];
  const strings = [...line.matchAll(/"((?:[^"\\]|\\.)+)"|`((?:[^`\\]|\\.)+)/g)].map(
    (match) => match[1] ?? match[2] ?? "",
  );
  // In JSX, text stands between tags or alone on its line.
  const markup = path.endsWith(".tsx")
    ? [/^\s*([A-Za-z][^<>{}=;"()]*)$/, />([^<>{}=;]+)</].map((part) => part.exec(line)?.[1])
    : [];
  return [
    ...(trailing === undefined ? [] : [{ kind: "comment" as const, text: trailing }]),
    ...[...strings, ...markup].flatMap((text) =>
      text?.trim().includes(" ") ? [{ kind: "string" as const, text }] : [],
    ),
  ];
};

const TOPS = ["packages", "tests", "bench", "scripts", "docs", "examples", "starter"];
const TEXT = /\.(ts|tsx|js|css|md|sh)$/;
const SKIPPED = new Set(["node_modules", "dist", "fixtures"]);

/** Findings of the repository by path, without the files that have none. */
export const judgeRepository = async (folder: string): Promise<ReadonlyMap<string, readonly string[]>> => {
  const top = await readdir(folder);
  const nested = await Promise.all(TOPS.map((name) => list(folder, name)));
  const paths = [...top, ...nested.flat()].filter((path) => TEXT.test(path) && !isExcepted(path)).sort();
  const judged = await Promise.all(
    paths.map(async (path) => [path, judgeLanguage(path, await Bun.file(join(folder, path)).text())] as const),
  );
  return new Map(judged.filter(([, findings]) => findings.length > 0));
};

const isExcepted = (path: string): boolean => EXCEPTIONS.some((exception) => exception.path.test(path));

const list = async (folder: string, name: string): Promise<readonly string[]> => {
  const entries = await readdir(join(folder, name), { withFileTypes: true }).catch(() => []);
  const nested = entries.map((entry) => {
    if (SKIPPED.has(entry.name)) return [];
    return entry.isDirectory() ? list(folder, `${name}/${entry.name}`) : [`${name}/${entry.name}`];
  });
  return (await Promise.all(nested)).flat();
};
