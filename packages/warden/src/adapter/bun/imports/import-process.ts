/**
 * This process reads the home of another program, so that the daemon is not blocked and its memory
 * does not grow. Its input is the request as JSON.
 */
import { createWriteStream } from "node:fs";
import { setPriority } from "node:os";
import { HearthError, toErrorBody } from "@hearth/protocol";
import { MAX_IMPORT_PARTS } from "@hearth/protocol/api";
import { type ListedItem, placeOf, toListed } from "../../../http/imports/plan.ts";
import { ImportRequest } from "./import-request.ts";
import { loadReader } from "./index.ts";

/** Priority of the process, below that of the daemon and its cells. */
const PRIORITY = 10;

const list = async ({ kind, folder }: ImportRequest): Promise<readonly ListedItem[]> => {
  const items: ListedItem[] = [];
  for await (const item of (await loadReader(kind))(folder)) {
    if (items.length === MAX_IMPORT_PARTS)
      throw new HearthError("import.failed", `${folder} has more than ${MAX_IMPORT_PARTS} parts.`, {
        hint: `Import it at the terminal: hearth import ${kind} PATH`,
      });
    items.push(toListed(item));
  }
  return items;
};

/** Writes the wanted parts as JSON lines. Returns their number. */
const copy = async ({ kind, folder, wanted, into }: ImportRequest & { readonly into: string }): Promise<number> => {
  const wantedPlaces = new Set(wanted);
  let count = 0;
  const stream = createWriteStream(into, { flags: "wx", mode: 0o600 });
  const ended = new Promise<void>((resolve, reject) => stream.once("close", resolve).once("error", reject));
  for await (const item of (await loadReader(kind))(folder)) {
    if (!wantedPlaces.has(placeOf(item) ?? "")) continue;
    count += 1;
    if (!stream.write(`${JSON.stringify(item)}\n`))
      await Promise.race([new Promise((resolve) => stream.once("drain", resolve)), ended]);
  }
  stream.end();
  await ended;
  return count;
};

setPriority(PRIORITY);
try {
  const request = ImportRequest.parse(await Bun.stdin.json());
  const { into } = request;
  process.stdout.write(JSON.stringify(into === undefined ? await list(request) : await copy({ ...request, into })));
} catch (error) {
  const { message, hint } = toErrorBody(error);
  process.stderr.write([message, hint].filter((text) => text !== undefined).join(" "));
  process.exit(1);
}
