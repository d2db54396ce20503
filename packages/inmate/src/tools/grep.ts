/**
 * Searches the lines of files with a regular expression. Yields regularly to other work. No pattern
 * can make it hang (see `regex.ts`).
 */
import type { Clock } from "@hearth/protocol";
import { MAX_OUTPUT_LENGTH } from "@hearth/protocol/tools";
import type { Files } from "./files.ts";
import { type CompileGlob, createPathFilter, type PathFilter } from "./glob-pattern.ts";
import { createMatcher, type Matcher } from "./matcher.ts";
import { showName } from "./path.ts";
import { parseRegex } from "./regex.ts";
import { cutLine, decodeText, toLines } from "./text.ts";
import { type RunTool, success, WALK_LIMITS } from "./tool.ts";

const MAX_SEARCHED_SIZE = 4 * 1024 * 1024;
const MAX_LINES = 200;
const MAX_LINE_LENGTH = 300;
/** Maximum length of a line that is searched. The rest of a longer line is ignored. */
const MAX_SEARCHED_LENGTH = 10_000;
/** Maximum length of the matches. It leaves room for the notes at the end. */
const MAX_SHOWN_LENGTH = MAX_OUTPUT_LENGTH - 500;
/** Number of characters to search before yielding. */
const CHARACTERS_PER_TURN = 32_768;

export const grep: RunTool<"grep"> = async (
  { pattern, path = ".", glob, ignoreCase = false },
  { files, compileGlob, clock, signal },
) => {
  const search = createSearch(createMatcher(parseRegex(pattern, { ignoreCase })), clock, signal);
  const { paths, complete } = await findPaths(files, path, toFilter(glob, compileGlob), signal);
  let unreadCount = 0;
  for (const filePath of paths) {
    if (search.isFull() || signal.aborted) break;
    const text = await readText(files, filePath);
    if (text === undefined) unreadCount += 1;
    else await search.search(filePath, text);
  }
  const notes = [
    ...(search.isFull() ? ["[more lines match: narrow the pattern or the path]"] : []),
    ...(signal.aborted ? ["[stopped before the end: narrow the path]"] : []),
    ...(complete ? [] : ["[incomplete: not all files were searched; name a subfolder]"]),
    ...(unreadCount > 0
      ? [
          `[not searched: ${unreadCount} that ${unreadCount === 1 ? "is" : "are"} binary, larger than 4 MiB or not open to tools]`,
        ]
      : []),
    ...(search.longLines() > 0 ? [`[only the beginning of ${search.longLines()} very long lines was searched]`] : []),
  ];
  const lines = search.lines();
  return success([...(lines.length === 0 ? ["No lines match."] : lines), ...notes].join("\n"));
};

/** Compiles a filter for paths. A pattern without a slash matches the name in every folder. */
const toFilter = (glob: string | undefined, compile: CompileGlob): PathFilter =>
  glob === undefined ? () => true : createPathFilter(glob.includes("/") ? glob : `**/${glob}`, compile);

const findPaths = async (
  files: Files,
  path: string,
  matches: PathFilter,
  signal: AbortSignal,
): Promise<{ paths: readonly string[]; complete: boolean }> => {
  if ((await files.stat(path)).kind === "file") return { paths: [path], complete: true };
  const walkResult = await files.walk(path, { ...WALK_LIMITS, signal });
  const paths = walkResult.files.map((file) => file.path).filter(matches);
  return { paths, complete: walkResult.complete };
};

/** Reads a text file. Returns undefined if the file is not text, is too large, is refused, or was deleted. */
const readText = async (files: Files, path: string): Promise<string | undefined> => {
  try {
    return decodeText(await files.read(path, MAX_SEARCHED_SIZE));
  } catch {
    return undefined;
  }
};

const createSearch = (matcher: Matcher, clock: Clock, signal: AbortSignal) => {
  const foundLines: string[] = [];
  let foundLength = 0;
  let charactersSinceTurn = 0;
  let longLineCount = 0;
  const isFull = (): boolean => foundLines.length >= MAX_LINES || foundLength >= MAX_SHOWN_LENGTH;

  return {
    isFull,
    lines: () => (foundLength > MAX_SHOWN_LENGTH ? foundLines.slice(0, -1) : foundLines),
    longLines: () => longLineCount,
    async search(path: string, text: string): Promise<void> {
      for (const [index, line] of toLines(text).entries()) {
        if (isFull() || signal.aborted) return;
        if (line.length > MAX_SEARCHED_LENGTH) longLineCount += 1;
        const searchedText = line.slice(0, MAX_SEARCHED_LENGTH);
        const end = matcher.find(searchedText);
        if (end >= 0) {
          const shownLine = `${showName(path)}:${index + 1}: ${cutLine(line, MAX_LINE_LENGTH, end)}`;
          foundLines.push(shownLine);
          foundLength += shownLine.length + 1;
        }
        charactersSinceTurn += searchedText.length + 1;
        if (charactersSinceTurn >= CHARACTERS_PER_TURN) {
          charactersSinceTurn = 0;
          await clock.turn();
        }
      }
    },
  };
};
