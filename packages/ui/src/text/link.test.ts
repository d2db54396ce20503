import { describe, expect, test } from "bun:test";
import { readLink } from "./link.ts";

describe("invalid links", () => {
  test.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "java\tscript:alert(1)",
    " javascript:alert(1)",
    "\u0001javascript:alert(1)",
    "javascript&colon;alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)",
    "file:///etc/passwd",
    "blob:https://example.org/1",
    "view-source:https://example.org",
    "ftp://example.org/",
    "//example.org/a",
    "/settings",
    "room",
    "#top",
    "?a",
    "",
    "https:example.org",
    "https:/example.org",
    "https:///example.org",
    "https:\\\\example.org",
    "https://example.org\\@evil.example",
    "https://bank.example@evil.example/",
    "https://bank.example:443@evil.example/",
    "https://user:pass@example.org/",
    "https://@evil.example/",
    "https://exa\u200Bmple.org/",
    "https://example.org/\u202Egpj.exe",
    "https://exa\nmple.org/",
    "https://",
    "https://exa mple.org",
    "https://[::1",
    "mailto:",
    "mailto:?to=evil@evil.example",
    "mailto:nobody",
  ])("%j", (target) => {
    expect(readLink(target, "words")).toBeUndefined();
  });
});

describe("link labels", () => {
  test.each([
    ["https://example.org/a?b#c", "https://example.org/a?b#c"],
    ["https://example.org", "example.org"],
    ["https://example.org/a", "example.org/a"],
    ["http://www.example.org", "www.example.org"],
    ["http://localhost:3000/x", "http://localhost:3000/x"],
    ["mailto:me@example.org", "me@example.org"],
    ["mailto:me@example.org", "mailto:me@example.org"],
  ])("%s as %s is shown as an address", (target, text) => {
    expect(readLink(target, text)?.text).toBe("address");
  });

  test.each([
    ["https://example.org/a", "the docs", "example.org"],
    ["https://example.org/a", "", "example.org"],
    ["https://example.org:8443/a", "the docs", "example.org:8443"],
    ["https://EXAMPLE.org/a", "See example.org", "example.org"],
    ["https://www.example.org/a", "example.org", "www.example.org"],
    ["https://example.org/2", "version 2.0.1", "example.org"],
    ["https://example.org/2", "3.14", "example.org"],
    ["mailto:me@example.org", "write to me@example.org", "me@example.org"],
    ["mailto:me@example.org?bcc=you@evil.example", "mail me", "me@example.org?bcc=you@evil.example"],
    ["https://аррӏе.com/", "https://аррӏе.com/", "xn--80ak6aa92e.com"],
    ["https://münchen.example/", "münchen.example", "xn--mnchen-3ya.example"],
  ])("%s as %j has other text, and leads to %s", (target, text, host) => {
    expect(readLink(target, text)).toMatchObject({ text: "words", host });
  });

  test.each([
    ["https://evil.example/", "https://bank.example"],
    ["https://evil.example/", "bank.example"],
    ["https://evil.example/bank.example", "bank.example"],
    ["https://evil.example/", "Log in at bank.example, it is safe"],
    ["https://evil.example/", "bank.example/evil.example"],
    ["https://evil.example/", "bank.example@evil.example"],
    ["https://evil.example/", "BANK。example"],
    ["https://evil.example/", "ｂａｎｋ.example"],
    ["https://evil.example/", "bаnk.example"],
    ["https://evil.example/", "10.0.0.1"],
    ["https://bank.example.evil.example/", "bank.example"],
    ["https://evil.example/", "me@bank.example"],
    ["mailto:me@evil.example", "me@bank.example"],
  ])("%s as %j is misleading", (target, text) => {
    expect(readLink(target, text)?.text).toBe("misleading");
  });

  test("the target is the one of the URL parser", () => {
    expect(readLink("HTTPS://EXAMPLE.org/a b", "x")?.href).toBe("https://example.org/a%20b");
    expect(readLink("https://0x7f.1/", "x")?.host).toBe("127.0.0.1");
  });

  test("a very long text is checked quickly", () => {
    expect(readLink("https://example.org/", "a.".repeat(25_000))?.text).toBe("words");
    expect(readLink("https://example.org/", "a".repeat(50_000))?.text).toBe("words");
  });
});
