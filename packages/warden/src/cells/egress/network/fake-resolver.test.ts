import { expect, test } from "bun:test";
import { createFakeResolver } from "./fake-resolver.ts";
import { resolverConformance } from "./resolver.conformance.ts";

resolverConformance("fake", createFakeResolver({ "a.test": [["1.1.1.1", "2606:2800::1"]] }), {
  known: "a.test",
  some: ["1.1.1.1"],
});

test("a name with several answers returns them in order and repeats the last", async () => {
  const resolver = createFakeResolver({ "a.test": [["1.1.1.1"], ["127.0.0.1"]] });
  const answers = [
    await resolver.resolve("a.test"),
    await resolver.resolve("a.test"),
    await resolver.resolve("a.test"),
  ];
  expect(answers).toEqual([["1.1.1.1"], ["127.0.0.1"], ["127.0.0.1"]]);
  expect(resolver.requestedNames).toEqual(["a.test", "a.test", "a.test"]);
});
