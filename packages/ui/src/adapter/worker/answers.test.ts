import { expect, test } from "bun:test";
import { answerOf } from "./answers.ts";

const built = { files: ["index-1a2b3c4d.js"] };
const ask = (path: string, mode = "cors", method = "GET") =>
  answerOf(built, "https://house.test/ui/", { url: new URL(path, "https://house.test").href, mode, method });

test("pages of the app are answered with the document, and files of the build from the cache", () => {
  for (const path of ["/ui/", "/ui/rooms/main?message=4", "/ui/invite#token"])
    expect([path, ask(path, "navigate")]).toEqual([path, "shell"]);
  expect(ask("/ui/index-1a2b3c4d.js")).toBe("kept");
});

test("A54: the worker answers no request that carries a credential or reads data of the house", () => {
  const others = [
    "/api/rooms",
    "/ws",
    "/login",
    "/uiother",
    "/v1/stream/x",
    "https://elsewhere.test/ui/index-1a2b3c4d.js",
    "/ui/index-00000000.js",
    "/ui/worker.js",
  ];
  for (const path of others) expect([path, ask(path)]).toEqual([path, "network"]);
  for (const path of ["/", "/login", "/api/rooms", "/docs"])
    expect([path, ask(path, "navigate")]).toEqual([path, "network"]);
  for (const method of ["POST", "PUT", "HEAD"])
    expect([method, ask("/ui/", "navigate", method)]).toEqual([method, "network"]);
});

test("only the document of the UI is asked for again without the worker, to see whether it changed", () => {
  expect(ask("/ui/")).toBe("network");
});
