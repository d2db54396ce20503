import { expect, test } from "bun:test";
import type { UpdateReport } from "@hearth/protocol";
import { renderUi } from "../../rooms/fake-view.tsx";
import { UpdateState } from "./update-section.tsx";

const report: UpdateReport = {
  running: "1.2.0",
  installed: "1.2.0",
  from: 45,
  to: 45,
  steps: [],
  neededBytes: 0,
  freeBytes: 0,
  estimatedMs: 0,
  openTurns: 0,
  problems: [],
};
const show = (more: Partial<UpdateReport>): string => renderUi(<UpdateState report={{ ...report, ...more }} />);

test("an installed version that runs needs no update", () => {
  expect(show({})).toContain("The installed version runs");
  expect(show({})).not.toContain("Disk space");
});

test("a newer installed version shows what the next start changes", () => {
  const markup = show({
    ...{ installed: "1.3.0", to: 47, steps: ["0046-a", "0047-b"], openTurns: 2, estimatedMs: 1500 },
    ...{ neededBytes: 2 * 1024 ** 3, freeBytes: 10 * 1024 ** 3 },
  });
  expect(markup).toContain("Version 1.3.0 is installed");
  expect(markup).toContain("45 now, 47 after 2 changes");
  expect(markup).toContain("About 2 s");
  expect(markup).toContain("2, which resume after the start");
});

test("an update that cannot be made says why", () => {
  expect(show({ installed: "1.3.0", problems: ["the disk is full"] })).toContain("the disk is full");
});

test("a copy shows what a return to it would lose", () => {
  const copy = { schema: 44, at: 0, messages: 1, events: 3, turns: 2 };
  expect(show({ copy })).toContain("A return to it would lose 1 message and 2 runs.");
});
