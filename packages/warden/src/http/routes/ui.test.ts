import { expect, test } from "bun:test";
import { HearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse } from "../fakes/fake-house.ts";
import type { UiFiles } from "../ui-files.ts";

const { hash } = createBunWorld();
const open = async (ui?: UiFiles) => {
  const house = await createFakeHouse(createFakeWorld({ hash }), ui === undefined ? {} : { daemon: { ui } });
  return (path: string, headers: Record<string, string> = {}, method = "GET") =>
    house.call(path, { method, headers: { authorization: "", ...headers } });
};
const SCRIPT = "/ui/index-1a2b3c4d.js";

test("all paths to the UI lead to one address", async () => {
  const call = await open();
  const led = async (path: string) => {
    const { status, headers } = await call(path);
    return [status, headers.get("location")];
  };
  expect(await led("/")).toEqual([302, "/ui/"]);
  expect(await led("/ui")).toEqual([308, "/ui/"]);
  expect(await led("/favicon.ico")).toEqual([302, "/ui/icon.svg"]);
});

test("every page of the app is the document, for everyone", async () => {
  const call = await open();
  for (const path of ["/ui/", "/ui/rooms/room_1", "/ui/agents/a.b/notes", "/ui/%C3%A9l%C3%A8ve", "/ui/?q=a.b"]) {
    const response = await call(path);
    expect([path, response.status, response.headers.get("content-type")]).toEqual([
      path,
      200,
      "text/html;charset=utf-8",
    ]);
    expect(await response.text()).toStartWith("<!doctype html>");
  }
});

test("only files of the build are found, however a path is written", async () => {
  const asked: string[] = [];
  const call = await open({
    async find(path) {
      asked.push(path);
      return undefined;
    },
  });
  const tricks = {
    "/ui/..%2f..%2fpackage.json": "..%2f..%2fpackage.json",
    "/ui/%2e%2e%5cpackage.json": "%2e%2e%5cpackage.json",
    "/ui//etc/passwd": "/etc/passwd",
    "/ui/index.html%00.js": "index.html%00.js",
    "/ui/%252e%252e/x.js": "%252e%252e/x.js",
    "/ui/a%20b.js": "a%20b.js",
  };
  for (const [path, name] of Object.entries(tricks)) {
    const response = await call(path);
    expect([path, response.status, asked.pop()]).toEqual([path, 404, name]);
    expect((await response.json()).error.code).toBe("request.not-found");
  }
  // These leave the UI within the URL, and then need a credential.
  for (const path of ["/ui/../api/rooms", "/ui/%2e%2e/api/rooms", "/ui/x/../../api/rooms", "/ui/..\\api/rooms"])
    expect([path, (await call(path)).status]).toEqual([path, 401]);
  expect(asked).toEqual([]);
});

test("a missing file is 404, as a page for a browser", async () => {
  const call = await open();
  const plain = await call("/ui/index-00000000.js", { accept: "*/*" });
  expect([plain.status, (await plain.json()).error.code]).toEqual([404, "request.not-found"]);
  const page = await call("/ui/nothing.html", { accept: "text/html" });
  expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  expect(await page.text()).toContain("The UI has no such file.");
});

test("the document is revalidated each time; immutable files are cached for a year", async () => {
  const call = await open();
  const kept = async (path: string) => (await call(path)).headers.get("cache-control");
  expect(await kept("/ui/")).toBe("no-cache");
  expect(await kept("/ui/icon.svg")).toBe("no-cache");
  expect(await kept(SCRIPT)).toBe("public, max-age=31536000, immutable");
});

test("a browser that has the file gets 304 without a body", async () => {
  const call = await open();
  const etag = (await call("/ui/")).headers.get("etag") ?? "";
  expect(etag).toBe('W/"d0c"');
  for (const known of [etag, '"d0c"', `"other", ${etag}`, "*"]) {
    const response = await call("/ui/", { "if-none-match": known });
    expect([known, response.status, await response.text()]).toEqual([known, 304, ""]);
    expect(response.headers.get("etag")).toBe(etag);
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect(response.headers.get("content-security-policy")).toContain("script-src 'self'");
  }
  for (const known of ['"other"', "d0c", ""])
    expect([known, (await call("/ui/", { "if-none-match": known })).status]).toEqual([known, 200]);
});

test("gzip is used for clients that accept it", async () => {
  const call = await open();
  const sent = async (accept: string | undefined) => {
    const response = await call(SCRIPT, accept === undefined ? {} : { "accept-encoding": accept });
    expect(response.headers.get("vary")).toBe("accept-encoding");
    const isGzip = response.headers.get("content-encoding") === "gzip";
    expect(await response.text()).toBe(isGzip ? "start(); ×2" : "start(); start();");
    return isGzip;
  };
  for (const accept of ["gzip", "br, GZIP;q=0.5", "gzip, deflate, br, zstd", "*", "identity, *;q=0.1"])
    expect([accept, await sent(accept)]).toEqual([accept, true]);
  for (const accept of [undefined, "", "br", "gzip;q=0", "gzip; q=0.0, *", "*;q=0", "xgzip", "gzip;q=x"])
    expect([accept, await sent(accept)]).toEqual([accept, false]);
  const document = await call("/ui/", { "accept-encoding": "gzip" });
  expect([document.headers.has("vary"), document.headers.has("content-encoding")]).toEqual([false, false]);
});

test("the document is in the chosen language, or in the one that the browser prefers", async () => {
  const asked: (readonly string[] | undefined)[] = [];
  const call = await open({
    async find(_path, languages) {
      asked.push(languages);
      const body = new Uint8Array();
      return { body, gzipped: body, type: "text/html;charset=utf-8", etag: "d", isImmutable: false, language: "de" };
    },
  });
  const languagesOf = async (headers: Record<string, string>) => {
    const response = await call("/ui/", headers);
    expect(response.headers.get("content-language")).toBe("de");
    expect(response.headers.get("vary")).toBe("accept-encoding, accept-language, cookie");
    return asked.pop();
  };
  expect(await languagesOf({})).toEqual([]);
  expect(await languagesOf({ "accept-language": "en;q=0.5, de-AT, fr;q=0, *;q=0.1" })).toEqual(["de-at", "en", "*"]);
  expect(await languagesOf({ cookie: "hearth_language=de", "accept-language": "en" })).toEqual(["de", "en"]);
});

test("HEAD returns what GET would, without the body", async () => {
  const call = await open();
  const response = await call(SCRIPT, { "accept-encoding": "gzip" }, "HEAD");
  expect([response.status, response.headers.get("etag"), await response.text()]).toEqual([200, 'W/"5c1"', ""]);
  expect(response.headers.get("content-encoding")).toBe("gzip");
});

test("the UI is read-only", async () => {
  const call = await open();
  for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
    const response = await call("/ui/", {}, method);
    expect([method, response.status, response.headers.get("allow")]).toEqual([method, 405, "GET"]);
  }
});

test("a browser runs and loads only this house's files, and no page may frame the UI", async () => {
  const call = await open();
  for (const path of ["/ui/", "/ui/rooms/main"]) {
    const { headers } = await call(path);
    const policy = new Map(
      (headers.get("content-security-policy") ?? "").split("; ").map((part) => {
        const [name = "", ...sources] = part.split(" ");
        return [name, sources.join(" ")];
      }),
    );
    expect(Object.fromEntries(policy)).toEqual({
      "default-src": "'none'",
      "script-src": "'self'",
      "style-src": "'self'",
      "img-src": "'self' data:",
      "media-src": "'self' blob:",
      "font-src": "'self'",
      "connect-src": "'self'",
      "frame-src": "'self'",
      "manifest-src": "'self'",
      "worker-src": "'self'",
      "base-uri": "'none'",
      "form-action": "'self'",
      "frame-ancestors": "'none'",
      "require-trusted-types-for": "'script'",
      "trusted-types": "hearth-worker",
    });
    for (const device of ["camera", "geolocation", "usb"])
      expect(headers.get("permissions-policy")).toContain(`${device}=()`);
    // Voice notes are recorded by the UI itself.
    expect(headers.get("permissions-policy")).toContain("microphone=(self)");
  }
});

test("the worker is revalidated each time, reaches this house alone, and controls nothing outside the UI", async () => {
  const call = await open();
  const { headers } = await call("/ui/worker.js");
  expect(headers.get("cache-control")).toBe("no-cache");
  expect(headers.get("content-security-policy")).toBe(
    "default-src 'none'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  );
  expect(headers.has("service-worker-allowed")).toBe(false);
});

test("no file of the UI may be framed, sniffed or embedded elsewhere, and non-document files run nothing", async () => {
  const call = await open();
  for (const path of ["/ui/", SCRIPT, "/ui/icon.svg"]) {
    const { headers } = await call(path);
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.has("set-cookie")).toBe(false);
    if (path !== "/ui/")
      expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
  }
});

test("an unbuilt UI gives a message with an instruction", async () => {
  const call = await open({
    find: async () => {
      throw new HearthError("ui.unbuilt", "The UI is not built yet.", { hint: "Load this page again." });
    },
  });
  const page = await call("/ui/", { accept: "text/html" });
  expect([page.status, page.headers.get("cache-control")]).toEqual([503, "no-store"]);
  const html = await page.text();
  expect(html).toContain("<p>Load this page again.</p>");
  expect(html).not.toContain("Open Hearth");
  const plain = await call("/ui/");
  expect([plain.status, (await plain.json()).error.code]).toEqual([503, "ui.unbuilt"]);
});
