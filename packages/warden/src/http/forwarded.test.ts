/** Which client the headers of trusted proxies report. */
import { expect, test } from "bun:test";
import { readForwarded } from "./forwarded.ts";

const isTrusted = (address: string): boolean => address.startsWith("10.");
const read = (headers: Readonly<Record<string, string>>): unknown => {
  try {
    return readForwarded(new Headers(headers), "10.0.0.1", isTrusted) ?? null;
  } catch (error) {
    return `error: ${(error as Error).message}`;
  }
};

/** Headers → the client's connection, or why they are refused. */
const EXAMPLES: readonly (readonly [headers: Readonly<Record<string, string>>, client: unknown])[] = [
  [{}, null],
  [{ forwarded: "for=1.1.1.1;proto=HTTPS;host=X.example" }, { address: "1.1.1.1", scheme: "https", host: "x.example" }],
  [{ forwarded: "for=1.1.1.1, for=10.0.0.2" }, { address: "1.1.1.1" }],
  [{ forwarded: "for=2.2.2.2, for=1.1.1.1, for=10.0.0.2" }, { address: "1.1.1.1" }],
  [{ forwarded: "for=10.0.0.3, for=10.0.0.2" }, { address: "10.0.0.3" }],
  [{ forwarded: "for=unknown, for=10.0.0.2" }, {}],
  [{ forwarded: "for=1.1.1.1, for=_hidden" }, {}],
  [{ forwarded: 'for="[::1]:80"' }, { address: "::1" }],
  [{ forwarded: 'for="1.1.1.1:80"' }, { address: "1.1.1.1" }],
  [
    { forwarded: "for=1.1.1.1:80" },
    "error: A header of a proxy is malformed: the Forwarded header does not follow RFC 7239.",
  ],
  [{ forwarded: "for=x" }, "error: A header of a proxy is malformed: Forwarded contains an entry that is no address."],
  [
    { forwarded: "for=1.1.1.1;for=2.2.2.2" },
    "error: A header of a proxy is malformed: the Forwarded header repeats for.",
  ],
  [{ forwarded: "proto=https" }, { scheme: "https" }],
  [{ forwarded: 'host="a\\"b"' }, { host: 'a"b' }],
  [{ forwarded: "" }, "error: A header of a proxy is malformed: the Forwarded header does not follow RFC 7239."],
  [
    { forwarded: "for=1.1.1.1;" },
    "error: A header of a proxy is malformed: the Forwarded header does not follow RFC 7239.",
  ],
  [
    { forwarded: "for=1.1.1.1," },
    "error: A header of a proxy is malformed: the Forwarded header does not follow RFC 7239.",
  ],
  [{ "x-forwarded-for": "1.1.1.1" }, { address: "1.1.1.1" }],
  [
    { "x-forwarded-for": "2.2.2.2, 1.1.1.1, 10.0.0.2", "x-forwarded-proto": "HTTPS", "x-forwarded-host": "X.example" },
    { address: "1.1.1.1", scheme: "https", host: "x.example" },
  ],
  [
    {
      "x-forwarded-for": "1.1.1.1, 10.0.0.2",
      "x-forwarded-proto": "https, http",
      "x-forwarded-host": "a.example, b.example",
    },
    { address: "1.1.1.1", scheme: "https", host: "a.example" },
  ],
  [
    { "x-forwarded-for": "10.0.0.3, 1.1.1.1", "x-forwarded-proto": "https, http" },
    { address: "1.1.1.1", scheme: "http" },
  ],
  [
    { "x-forwarded-for": "1.1.1.1", "x-forwarded-proto": "https, http" },
    "error: A header of a proxy is malformed: X-Forwarded-Proto and X-Forwarded-For have different lengths.",
  ],
  [
    { "x-forwarded-for": "1.1.1.1", "x-forwarded-host": "a, b" },
    "error: A header of a proxy is malformed: X-Forwarded-Host and X-Forwarded-For have different lengths.",
  ],
  [{ "x-forwarded-proto": "https" }, { address: "10.0.0.1", scheme: "https" }],
  [
    { "x-forwarded-host": "a, b" },
    "error: A header of a proxy is malformed: X-Forwarded-Host and X-Forwarded-For have different lengths.",
  ],
  [{ "x-forwarded-for": "10.0.0.3, 10.0.0.2" }, { address: "10.0.0.3" }],
  [{ "x-forwarded-for": "1.1.1.1, unknown" }, {}],
  [{ "x-forwarded-for": "1.1.1.1:80" }, { address: "1.1.1.1" }],
  [
    { "x-forwarded-for": "x" },
    "error: A header of a proxy is malformed: X-Forwarded-For contains an entry that is no address.",
  ],
  [{ "x-forwarded-for": " , " }, null],
  [{ forwarded: "for=1.1.1.1", "x-forwarded-for": "1.1.1.1" }, { address: "1.1.1.1" }],
  [
    { forwarded: "for=1.1.1.1", "x-forwarded-for": "2.2.2.2" },
    "error: The Forwarded and the X-Forwarded headers contradict each other.",
  ],
  [
    { forwarded: "for=1.1.1.1;proto=http", "x-forwarded-for": "1.1.1.1", "x-forwarded-proto": "https" },
    "error: The Forwarded and the X-Forwarded headers contradict each other.",
  ],
  [
    { forwarded: "for=1.1.1.1;host=a", "x-forwarded-for": "1.1.1.1", "x-forwarded-host": "b" },
    "error: The Forwarded and the X-Forwarded headers contradict each other.",
  ],
];

test.each([...EXAMPLES])("the headers %j", (headers, client) => {
  expect(read(headers)).toEqual(client);
});
