/**
 * Every finding of `hearth doctor --security` in a real home disappears after its own fix was
 * applied.
 */
import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createClient } from "@hearth/client";
import type { SecurityFinding, SecurityReport } from "@hearth/protocol";
import { spend } from "@hearth/protocol/until";
import { createHome, type Daemon, type Json, LAUNCHER, startDaemon } from "./daemon.ts";

const CONFIG = `version = 1

[server]
loopback_webhooks = true

[egress]
loopback = true

[store]
durability = "process"

[providers.far]
kind = "openai"
base_url = "http://models.example/v1"

[channels.phone]
kind = "telegram"
token = "env:NOBODY_SET_IT"
base_url = "http://127.0.0.1:1"

[channels.phone.admission]
mode = "open"
`;

/** Applies the fix of a finding to the text of the config. */
const rewrite = (text: string, fix: Extract<SecurityFinding["fix"], { kind: "config" }>): string => {
  let section = "";
  return text
    .split("\n")
    .flatMap((line) => {
      section = /^\[(.+)\]$/.exec(line)?.[1] ?? section;
      if (section !== fix.section || !line.startsWith(`${fix.key} =`)) return [line];
      return fix.line === undefined ? [] : [fix.line];
    })
    .join("\n");
};

const passphrase = "correct horse battery";

/** Runs a command as a person who pastes it into a shell. */
const paste = async (command: string, home: string): Promise<void> => {
  const child = Bun.spawn(["/bin/sh", "-c", command], {
    env: { PATH: `${dirname(LAUNCHER)}:${process.env["PATH"] ?? ""}`, HOME: aside.folder, HEARTH_HOME: home },
    stdin: new TextEncoder().encode(passphrase),
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text());
  expect([command, await child.exited, said]).toEqual([command, 0, said]);
};

const aside = createHome();
afterAll(() => aside[Symbol.dispose]());

const report = async (house: Pick<Daemon, "hearth">): Promise<SecurityReport & { readonly code: number | null }> => {
  const { code, stdout, stderr } = await house.hearth("doctor", "--security", "--json");
  expect(stderr).toBe("");
  return { code, ...(JSON.parse(stdout) as SecurityReport) };
};

const keyOf = ({ id, where }: SecurityFinding): string => `${id} in ${where}`;

/** Creates one of each finding that needs a running house. */
const plant = async (house: Daemon): Promise<void> => {
  const done = async (...words: readonly string[]): Promise<void> => {
    const { code, stderr } = await house.hearth(...words);
    expect([words, code, code === 0 ? "" : stderr]).toEqual([words, 0, ""]);
  };
  await done("agent", "edit", "main", "--model", "far/large", "--tools", "+http_fetch,+house_query");
  await done("agent", "add", "Handy", "--cell", "process", "--tools", "shell,read", "--budget-day", "1");
  await done("agent", "add", "Writer", "--mode", "ask", "--trusted", ".", "--cell", "process", "--tools", "write");
  await done("egress", "allow", "handy", "*.example.org");
  await done("egress", "allow", "handy", "model.hearth");
  await done("key", "create", "--name", "laptop");
  await done("room", "add", "Hall");
  await done("person", "add", "Gast", "--level", "none");
  await done("grant", "add", "gast", "w", "--on", "hall");
  const { json: me } = await house.ask("GET", "/api/me");
  const secrets = `/api/houses/${me.house.id}/secrets`;
  for (const name of ["SPARE", "LENT"]) await house.ask("POST", secrets, { name, value: `value-of-${name}` });
  await done("secret", "grant", "LENT", "--agent", "main", "--host", "*.example.org");
  await done("secret", "grant", "LENT", "--agent", "main", "--host", "api.example.org", "--plain");
};

/** Creates the findings in rows and files of a stopped house. */
const plantAtRest = (home: string, agent: string): void => {
  using database = new Database(join(home, "hearth.db"));
  database
    .query(
      `insert into approval_rules (id, house, agent, tool, bound, text, room, since, approval, "by", at)
       select 'rule_${"0".repeat(26)}', house, id, 'http_fetch', '{}', 'any page', null, null, '', id, 0 from records where id = ?`,
    )
    .run(agent);
  chmodSync(join(home, "keys"), 0o755);
  chmodSync(join(home, "hearth.db"), 0o644);
};

test("every finding of a running house disappears after its own fix was applied", async () => {
  using home = createHome();
  writeFileSync(join(home.folder, "hearth.toml"), CONFIG);
  let main: Json;
  {
    await using house = await startDaemon(home.folder);
    await plant(house);
    main = (await house.ask("GET", "/api/agents/main")).json;
  }
  plantAtRest(home.folder, main.id);
  {
    await using house = await startDaemon(home.folder);
    // The start corrects the mode of the folder, so change it again.
    chmodSync(home.folder, 0o755);
    const first = await report(house);
    expect(first.code).toBe(1);
    expect(first.unseen).toEqual([]);
    const ids = new Set<string>(first.findings.map(({ id }) => id));
    expect([...ids].toSorted()).toEqual(
      [
        ...[
          "agent.no-budget",
          "agent.open-hands",
          "agent.trifecta",
          "agent.trusted",
          "channel.open",
          "egress.loopback",
        ],
        ...["egress.wide", "file.mode", "key.wide", "provider.plain", "room.guests", "rule.wide", "secret.unused"],
        ...["secret.wide", "server.loopback-webhooks", "store.durability", "vault.key-file"],
        ...(ids.has("agent.no-walls") ? ["agent.no-walls"] : []),
      ].toSorted(),
    );
    // Apply one fix at a time, because one may remove several findings.
    const later: SecurityFinding[] = [];
    for (let left = first.findings; left.length > 0;) {
      const [finding] = left;
      if (finding === undefined) break;
      if (finding.fix.kind === "config") later.push(finding);
      else await paste(finding.fix.command, home.folder);
      const { findings } = (await house.ask("GET", "/api/security")).json as SecurityReport;
      if (finding.fix.kind === "command")
        expect([finding.fix.command, findings.map(keyOf)]).not.toEqual([
          finding.fix.command,
          expect.arrayContaining([keyOf(finding)]),
        ]);
      left = findings.filter((finding) => !later.some((other) => keyOf(other) === keyOf(finding)));
    }
    const config = join(home.folder, "hearth.toml");
    for (const { fix } of later)
      if (fix.kind === "config") writeFileSync(config, rewrite(readFileSync(config, "utf8"), fix));
  }
  await using house = await startDaemon(home.folder, { HEARTH_PASSPHRASE: passphrase });
  const { code, findings } = await report(house);
  // Every house of the journeys gets a secret, which it does not use.
  expect([code, findings.map(keyOf).filter((key) => !key.startsWith("secret.unused"))]).toEqual([0, []]);
});

test("every finding of a running house that names a change disappears after the change", async () => {
  using home = createHome();
  writeFileSync(join(home.folder, "hearth.toml"), CONFIG);
  {
    await using house = await startDaemon(home.folder);
    await plant(house);
    plantAtRest(home.folder, (await house.ask("GET", "/api/agents/main")).json.id);
  }
  await using house = await startDaemon(home.folder);
  const client = createClient({ baseUrl: house.url, token: house.token, fetch, sleep: spend });
  const { report: examine, apply } = await client.security();
  const applied = new Set<string>();
  const changeable = async () => (await examine()).findings.filter(({ change }) => change !== undefined);
  for (let left = await changeable(); left.length > 0; left = await changeable()) {
    const [finding] = left;
    if (finding?.change === undefined) break;
    // Each change removes its own finding, so none is tried twice.
    expect([...applied]).not.toContain(keyOf(finding));
    applied.add(keyOf(finding));
    await apply(finding.change);
  }
  expect([...new Set([...applied].map((key) => key.split(" in ")[0] ?? ""))].toSorted()).toEqual(
    [
      ...["agent.open-hands", "agent.trifecta", "agent.trusted", "egress.loopback", "key.wide", "room.guests"],
      ...["rule.wide", "secret.unused", "secret.wide"],
      ...([...applied].some((key) => key.startsWith("agent.no-walls")) ? ["agent.no-walls"] : []),
    ].toSorted(),
  );
});

test("without a daemon `doctor --security` reports findings on disk, and lists the checks that it skipped", async () => {
  using home = createHome();
  {
    await using house = await startDaemon(home.folder);
    await house.hearth("key", "create", "--name", "laptop");
  }
  const at = {
    hearth: async (...words: readonly string[]) =>
      (await import("./daemon.ts")).hearth([...words, "--home", home.folder]),
  };
  const quiet = async (): Promise<readonly string[]> => {
    const { stdout } = await at.hearth("doctor", "--security", "--json");
    return (JSON.parse(stdout) as SecurityReport).findings.map(({ id }) => id);
  };
  const first = JSON.parse((await at.hearth("doctor", "--security", "--json")).stdout) as SecurityReport;
  expect(first.findings.map(({ id }) => id)).toContain("key.wide");
  expect(first.unseen.join(" ")).toContain("only a running house");

  // First a forged anchor, then a changed log.
  const heads = join(home.folder, "audit/heads.json");
  const kept = readFileSync(heads, "utf8");
  writeFileSync(heads, "forged");
  expect(await quiet()).toContain("audit.anchor");
  writeFileSync(heads, kept);
  expect(await quiet()).not.toContain("audit.anchor");
  const change = (from: string, to: string): void => {
    using database = new Database(join(home.folder, "hearth.db"));
    database.run("update events set type = ? where type = ? and stream like 'audit:%'", [to, from]);
  };
  change("key", "kex");
  const broken = await at.hearth("doctor", "--security");
  expect(broken.code).toBe(1);
  expect(broken.stdout).toContain("hearth audit verify --house");
  change("kex", "key");
  expect(await quiet()).not.toContain("audit.broken");

  // The house would not start with this config. The finding names the line that opens the port.
  writeFileSync(join(home.folder, "hearth.toml"), 'version = 1\n[server]\nhost = "0.0.0.0"\n');
  const refused = await at.hearth("doctor", "--security");
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain("hearth.toml line 3");
  writeFileSync(join(home.folder, "hearth.toml"), 'version = 1\n[server]\nhost = "127.0.0.1"\n');
  expect(await quiet()).not.toContain("config.refused");

  rmSync(join(home.folder, "keys/audit.key"));
  expect(await quiet()).toContain("audit.anchor");
});
