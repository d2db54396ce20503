/** Command lines that ask for nothing, or for two things at once: what failed, and what to give instead. */
import { expect, test } from "bun:test";
import { commandsForEach } from "../fakes/fake-command-line.ts";

const own = commandsForEach();
const APPROVAL = `apr_${"0".repeat(26)}`;

test.each([
  [["brain", "undo", "main"], "Give exactly one of CHANGE, --activation and --since.", "hearth brain log AGENT"],
  [
    ["brain", "undo", "main", `chg_${"0".repeat(26)}`, "--since", "2h"],
    "Give exactly one of CHANGE, --activation and --since.",
    "hearth brain log AGENT",
  ],
  [["brain", "erase", "main"], "Give exactly one of --source, --path and --line.", ""],
  [["brain", "erase", "main", "--path", "a", "--line", "b"], "Give exactly one of --source, --path and --line.", ""],
  [
    ["person", "edit", "owner"],
    "Nothing to change: no field was given.",
    "--name, --description, --timezone or --level",
  ],
  [["room", "edit", "den"], "Nothing to change: no field was given.", "--name, --members, --description"],
  [["room", "add", "Den", "--members", "+main"], "A new room has no members to change.", "--members a,b"],
  [
    ["room", "events", "main", "--after", "1", "--since", "2h"],
    "--after and --since exclude each other.",
    "one of them",
  ],
  [["agent", "show", "main", "--room", "den"], "--room and --text need --prompt.", "Add --prompt."],
  [["agent", "show", "main", "--text"], "--room and --text need --prompt.", "Add --prompt."],
  [["approval", "allow", APPROVAL, "--session", "--rule"], "--session and --rule cannot be combined.", "one of them"],
  [["provider", "edit", "den"], "Nothing to change: no value was given.", "--base-url or --retries"],
  [["provider", "edit", "den", "--retries", "4"], "--retries is 4, which is not a number from 0 to 3.", ""],
  [["provider", "test", "dne"], 'There is no provider "dne". Did you mean "den"?', "Providers: den."],
  [["provider", "test", "den"], 'Provider "den" has no suggested model.', "hearth provider test den --model MODEL"],
  [["channel", "add", "telegram"], "Give either --token REFERENCE or --token-stdin.", "--token-stdin < token.txt"],
  [
    ["channel", "add", "telegram", "--token", "env:A", "--token-stdin"],
    "Give either --token REFERENCE or --token-stdin.",
    "--token-stdin < token.txt",
  ],
  [["channel", "add", "telegram", "--token", "1:a"], "--token takes a reference, not the token itself.", "secret:NAME"],
  [["channel", "edit", "telegram", "--token", "env:"], "--token takes a reference, not the token itself.", "env:NAME"],
  [["config", "set", "cells.max_open"], "cells.max_open has no value.", "hearth config unset cells.max_open"],
  [["config", "set", "=1"], "=1 has no value.", "Write =1=VALUE"],
  [["config", "set", "a.b=[x"], "[x is not a list.", '["one", "two"]'],
  [["grant", "remove", "main", "w"], 'A right is providers, secrets, audit, approve, not "w".', "audit"],
  [["key", "create"], "A key needs a name: --name NAME", ""],
  [["key", "create", "--name", " "], "A key needs a name: --name NAME", ""],
  [["secret", "grant", "GITHUB", "--agent", "main"], "A grant needs a holder and a host", ""],
  [["secret", "grant", "GITHUB", "--host", "a.example"], "A grant needs a holder and a host", ""],
  [["secret", "revoke", "GITHUB"], "Give the holder of the grant: --agent AGENT, or --providers.", ""],
] as const)("%j fails with its reason, and nothing is changed", async (words, message, hint) => {
  const provider = { name: "den", kind: "openai", source: "config", ready: true, detail: "" };
  own.house.answer("GET /api/providers", [provider]);
  own.house.addRoom({ name: "Den", kind: "group" });
  const { code, out, err } = await own.hearthAt({ stdinIsTerminal: false }, ...words);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toStartWith(`hearth: ${message}`);
  expect(err).toContain(hint);
  expect(own.house.requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
  const data = await own.hearthAt({ stdinIsTerminal: false }, ...words, "--json");
  expect([data.code, JSON.parse(data.out)]).toMatchObject([
    2,
    { error: { message: expect.stringContaining(message) } },
  ]);
});
