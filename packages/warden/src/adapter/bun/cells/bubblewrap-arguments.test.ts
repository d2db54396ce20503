import { expect, test } from "bun:test";
import { bubblewrapArguments } from "./bubblewrap-arguments.ts";

const view = {
  ...{ runtime: "/r", inmate: "/i", brain: "/b", workspace: "/w", hidden: [], etc: {}, rootLinks: {}, covers: [] },
  ...{ temporaryBytes: 8, sharedBytes: 1, seccomp: 3, info: 5, block: 6 },
};

test("a cell gets a host name only where one can be set, and unshares the same namespaces either way", () => {
  const named = bubblewrapArguments({ ...view, hostname: "cell" });
  expect(named.slice(named.indexOf("--hostname"))[1]).toBe("cell");
  const unnamed = bubblewrapArguments(view);
  expect(unnamed).not.toContain("--hostname");
  expect(unnamed).toEqual(named.filter((each, at) => each !== "--hostname" && named[at - 1] !== "--hostname"));
  expect(unnamed).toContain("--unshare-uts");
});
