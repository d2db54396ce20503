/** The UI talks only to the host that it was loaded from, and takes no host from a URL. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { root } from "./source.ts";

const NAMING =
  /\bnew (?:WebSocket|EventSource)\(|\blocation\.(?:search|hash|href)\b|\bURLSearchParams\b|\.searchParams\b/;

/** Files that may open connections or read URLs, with the reason. */
const KNOWN: Readonly<Record<string, string>> = {
  "packages/client/src/request.ts": "writes the query of a call",
  "packages/ui/src/adapter/browser/page.ts": "reads the token of an invite link, which is sent to this house alone",
  "packages/ui/src/adapter/browser/wire.ts": "opens the socket at the address that it is given",
  "packages/ui/src/rooms/files/open-document.tsx": "reads the id and the part of a document, which this house shows",
  "packages/ui/src/rooms/timeline/use-found-message.ts": "reads the number of a found message in its room",
  "packages/ui/src/house/filters.ts": "reads the filters of a list, which are compared with its rows",
  "packages/ui/src/runs/run-sources.tsx": "reads the number of a source, which it compares with those of the run",
  "packages/ui/src/settings/remote/remote-section.tsx": "compares the section of the address with its own id",
  "packages/ui/src/login/login-code.ts": "takes the code of a login link, which is sent to this house alone",
};

test("A1: the UI connects only to the host that it was loaded from, never to one that a URL names", async () => {
  const paths = await Array.fromAsync(new Bun.Glob("packages/{ui,client}/src/**/*.{ts,tsx}").scan({ cwd: root }));
  const sources = paths.filter((path) => !/\.(?:test|conformance)\.tsx?$|\/fake-|\/adapter\/bun\//.test(path));
  expect(sources.length).toBeGreaterThan(100);
  const naming: string[] = [];
  for (const path of sources) if (NAMING.test(await Bun.file(join(root, path)).text())) naming.push(path);
  expect(naming.toSorted()).toEqual(Object.keys(KNOWN).toSorted());
});
