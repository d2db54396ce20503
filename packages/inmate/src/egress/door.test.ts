import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { createLinkPair, type InmateFrame, type WardenFrame } from "@hearth/protocol";
import { createBunDoorHost } from "../adapter/bun/door-host.ts";
import { createDoor, type DoorHost, EGRESS_LABEL } from "./door.ts";

const EGRESS = { token: "token-of-the-turn", certificate: "-----BEGIN CERTIFICATE-----\n" };

/** The test plays the warden; the frame is the real one of this machine. */
const open = (host: DoorHost = createBunDoorHost()) => {
  const [warden, inmate] = createLinkPair<WardenFrame, InmateFrame>();
  const door = createDoor({ host, openStream: (label) => inmate.openStream(label) });
  return { warden, door, [Symbol.asyncDispose]: () => door.close() };
};
const portIn = (environment: Readonly<Record<string, string>>): number =>
  Number(new URL(environment["https_proxy"] ?? "").port);

describe("the door of a cell", () => {
  test("is in the environment under every proxy variable, without exceptions", async () => {
    await using house = open();
    const environment = await house.door.environmentFor(EGRESS);
    const proxies = Object.entries(environment).filter(
      ([name]) => /^(?!no)\w+_proxy$/i.test(name) && name !== "NODE_USE_ENV_PROXY",
    );
    expect(proxies.map(([name]) => name).toSorted()).toEqual([
      "ALL_PROXY",
      "HTTPS_PROXY",
      "HTTP_PROXY",
      "all_proxy",
      "http_proxy",
      "https_proxy",
    ]);
    const { username, password, hostname, protocol } = new URL(environment["http_proxy"] ?? "");
    expect([protocol, username, password, hostname]).toEqual(["http:", "hearth", "token-of-the-turn", "127.0.0.1"]);
    expect(new Set(proxies.map(([, value]) => value)).size).toBe(1);
    expect([environment["NO_PROXY"], environment["no_proxy"]]).toEqual(["", ""]);
    for (const name of [
      "SSL_CERT_FILE",
      "CURL_CA_BUNDLE",
      "GIT_SSL_CAINFO",
      "NODE_EXTRA_CA_CERTS",
      "PIP_CERT",
      "npm_config_cafile",
    ])
      expect(await Bun.file(environment[name] ?? "").text()).toBe(EGRESS.certificate);
  });

  test("uses one port for all turns, a token for each turn, and one certificate file", async () => {
    await using house = open();
    const [first, second] = [
      await house.door.environmentFor(EGRESS),
      await house.door.environmentFor({ ...EGRESS, token: "other" }),
    ];
    expect([portIn(first), first["SSL_CERT_FILE"]]).toEqual([portIn(second), second["SSL_CERT_FILE"]]);
    expect(new URL(second["http_proxy"] ?? "").password).toBe("other");
    const bare = await house.door.environmentFor({ token: "bare" });
    expect(bare["SSL_CERT_FILE"]).toBeUndefined();
  });

  test("sets the model variables, with a placeholder key, only if the step has a model", async () => {
    await using house = open();
    const names = [
      ...["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_API_BASE", "OPENAI_API_KEY", "OPENAI_BASE_URL"],
    ];
    const bare = await house.door.environmentFor(EGRESS);
    expect(names.map((name) => bare[name])).toEqual(names.map(() => undefined));
    const environment = await house.door.environmentFor({ ...EGRESS, model: "http://model.example" });
    expect(names.map((name) => environment[name])).toEqual([
      ...["no-key-needed", "http://model.example", "http://model.example/v1", "no-key-needed"],
      "http://model.example/v1",
    ]);
    expect(portIn(environment)).toBe(portIn(bare));
  });

  test("carries each connection over its own stream, in both directions", async () => {
    await using house = open();
    const labels: string[] = [];
    house.warden.handleStreams((stream) => {
      labels.push(stream.label);
      void (async () => {
        let text = "";
        for await (const bytes of stream.bytes) text += new TextDecoder().decode(bytes);
        await stream.write(new TextEncoder().encode(`${text} has ${text.length}`));
        stream.end();
      })();
    });
    const port = portIn(await house.door.environmentFor(EGRESS));
    const ask = async (text: string): Promise<string> => {
      const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
      socket.end(text);
      let got = "";
      for await (const bytes of socket) got += String(bytes);
      return got;
    };
    expect(await Promise.all([ask("one"), ask("other")])).toEqual(["one has 3", "other has 5"]);
    expect(labels).toEqual([EGRESS_LABEL, EGRESS_LABEL]);
  });

  test("ends connections if the warden accepts no streams", async () => {
    await using house = open();
    const port = portIn(await house.door.environmentFor(EGRESS));
    const closed = Promise.withResolvers<void>();
    await Bun.connect({ hostname: "127.0.0.1", port, socket: { data: () => {}, close: () => closed.resolve() } });
    await closed.promise;
  });

  test("closes its port and deletes its files with the cell", async () => {
    const house = open();
    const environment = await house.door.environmentFor(EGRESS);
    await house.door.close();
    expect(await Bun.file(environment["SSL_CERT_FILE"] ?? "").exists()).toBe(false);
    const failure: unknown = await Bun.connect({
      hostname: "127.0.0.1",
      port: portIn(environment),
      socket: { data: () => {} },
    }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    await open().door.close();
  });

  test("sets no environment if the cell has no loopback", async () => {
    const frame = createBunDoorHost();
    await using house = open({ ...frame, listen: () => Promise.reject(new Error("no sockets here")) });
    expect(await house.door.environmentFor(EGRESS)).toEqual({});
  });

  test("is opened by the next turn if its first opening failed", async () => {
    const frame = createBunDoorHost();
    const failures = ["listen", "keep"];
    const failsOnce = <Result>(name: string, attempt: () => Promise<Result>): Promise<Result> => {
      const index = failures.indexOf(name);
      if (index < 0) return attempt();
      failures.splice(index, 1);
      return Promise.reject(new Error("no space left"));
    };
    await using house = open({
      ...frame,
      listen: (serve) => failsOnce("listen", () => frame.listen(serve)),
      writeTextFile: (text) => failsOnce("keep", () => frame.writeTextFile(text)),
    });
    expect(await house.door.environmentFor(EGRESS)).toEqual({});
    const failure: unknown = await house.door.environmentFor(EGRESS).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(portIn(await house.door.environmentFor(EGRESS))).toBeGreaterThan(0);
  });
});
