import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse } from "../fakes/fake-house.ts";
import { streamNeeds } from "@hearth/protocol/operations";
import { socketNeeds } from "../needs.ts";
import type { OpenApiDocument } from "./open-api.ts";

const DOCUMENT = new URL("../../../../../docs/permissions.md", import.meta.url).pathname;

const list = (head: string, rows: readonly (readonly [string, string])[]): string =>
  [`## ${head}`, "", ...rows.map(([what, needs]) => `- \`${what}\`: ${needs}`)].join("\n");

/** The declared needs, in the form of docs/permissions.md. */
const declared = async (): Promise<string> => {
  const house = await createFakeHouse(createFakeWorld({ hash: createBunWorld().hash }));
  const { paths } = (await (await house.call("/openapi.json")).json()) as OpenApiDocument;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) =>
        [
          `${method.toUpperCase()} ${path}`,
          operation["x-needs"] + (operation["x-fresh-login"] === true ? ", fresh login" : ""),
        ] as const,
    ),
  );
  const streams = Object.entries(streamNeeds).map(([kind, needs]) => [`${kind}:…`, needs] as const);
  return [
    list("Operations", operations.toSorted(byPath)),
    list("Streams", streams),
    list("Requests on the socket", Object.entries(socketNeeds)),
  ].join("\n\n");
};

const byPath = ([one]: readonly [string, string], [other]: readonly [string, string]): number => {
  const pathOf = (name: string): string => name.slice(name.indexOf(" ") + 1);
  return pathOf(one) < pathOf(other) || (pathOf(one) === pathOf(other) && one < other) ? -1 : 1;
};

test("docs/permissions.md lists the needs of each operation, stream and request: change both together", async () => {
  const lists = await declared();
  const text = await Bun.file(DOCUMENT).text();
  // HEARTH_WRITE=1 writes the lists there. Review them before the commit.
  const start = text.indexOf("## Operations");
  if (process.env["HEARTH_WRITE"] === "1") await Bun.write(DOCUMENT, `${text.slice(0, start)}${lists}\n`);
  else expect(text.slice(start).trimEnd()).toBe(lists);
});
