import { expect, test } from "bun:test";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeHouse } from "../fakes/fake-house.ts";
import { createFakeTerminal } from "../fakes/fake-terminal.ts";
import { readId } from "./ids.ts";
import { run } from "../run.ts";
import { UsageError } from "./usage-error.ts";

const BODY = "01m80gjhbw6h6gx4tc8bhchw80";

test("an id of the right kind is accepted, and other text is refused", () => {
  expect(readId("chg", `chg_${BODY}`, "")).toBe(`chg_${BODY}` as never);
  for (const text of ["", "nope", BODY, `act_${BODY}`, `chg_${BODY}0`, `chg_${BODY.slice(1)}`, `chg_${BODY.slice(1)}u`])
    expect(() => readId("chg", text, "")).toThrow(UsageError);
});

test("a command refuses an invalid id and names the command that lists ids", async () => {
  const house = await createFakeHouse(await mkdtemp(join(tmpdir(), "hearth-cli-")));
  const told = [
    ["brain undo main nope", "a change", "chg_", "hearth brain log main"],
    ["brain undo main --activation nope", "an activation", "act_", "hearth activation list main"],
    ["brain log main --activation nope", "an activation", "act_", "hearth activation list main"],
    ["brain diff main nope", "a change", "chg_", "hearth brain log main"],
    ["brain approve main nope", "a proposed change", "prop_", "hearth brain proposals main"],
    ["brain deny main nope", "a proposed change", "prop_", "hearth brain proposals main"],
    ["approval show nope", "an approval", "apr_", "hearth approval list"],
    ["approval allow nope", "an approval", "apr_", "hearth approval list"],
    ["approval deny nope", "an approval", "apr_", "hearth approval list"],
    ["approval rule remove nope", "a rule", "rule_", "hearth approval rule list"],
    ["inbox archive nope", "a message between agents", "note_", "hearth agent inbox AGENT"],
    ["session end nope", "a browser's session", "ses_", "hearth session list"],
    ["channel resend nope", "a delivery", "out_", "hearth channel show NAME"],
    ["activation show nope", "an activation", "act_", "hearth activation list"],
    ["activation stop nope", "an activation", "act_", "hearth activation list"],
    ["key revoke key_nope", "a key", "key_", "hearth key list"],
  ] as const;
  for (const [line, what, prefix, list] of told) {
    const terminal = createFakeTerminal({ home: house.home });
    expect([line, await run(line.split(" "), terminal)]).toEqual([line, 2]);
    expect(terminal.written.err).toContain(`is not the id of ${what}.`);
    expect(terminal.written.err).toContain(`Such ids begin with ${prefix}. To list them: ${list}\n`);
  }
});
