/**
 * A small S3 server for tests: one bucket in memory, path-style addresses, and pages of 1,000. It
 * verifies the signature (AWS Signature Version 4) and the hash of every request.
 */
import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export interface S3Server extends AsyncDisposable {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly objects: Map<string, Buffer>;
  /** `METHOD KEY` of each request that was answered. */
  readonly requests: string[];
  /** Ends the connection in the middle of a transfer for which it returns true. */
  cut: (method: string, key: string) => boolean;
}

const PAGE = 1000;
const MAX_SKEW_MS = 15 * 60_000;

const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

const readAll = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
};

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

const escapeXml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

type Refusal = readonly [status: number, code: string];

/** Returns the reason to refuse the request, or undefined. */
const refusalOf = (request: IncomingMessage, body: Buffer, server: S3Server): Refusal | undefined => {
  const header = (name: string): string => String(request.headers[name] ?? "").trim();
  const [, id, date, region, signedHeaders = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      header("authorization"),
    ) ?? [];
  if (id === undefined) return [403, "AccessDenied"];
  if (id !== server.accessKeyId) return [403, "InvalidAccessKeyId"];
  if (region !== server.region) return [400, "AuthorizationHeaderMalformed"];
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(header("x-amz-date")) ?? [];
  const at = Date.UTC(...numbers(year, month), ...numbers(day, hour, minute, second));
  if (!(Math.abs(Date.now() - at) < MAX_SKEW_MS)) return [403, "RequestTimeTooSkewed"];
  const names = signedHeaders.split(";");
  if (!names.includes("host") || !names.includes("x-amz-content-sha256")) return [403, "AccessDenied"];
  const url = new URL(request.url ?? "/", server.endpoint);
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted((a, b) => (a < b ? -1 : 1));
  const canonical = [
    request.method,
    url.pathname
      .split("/")
      .map((part) => encode(decodeURIComponent(part)))
      .join("/"),
    query.join("&"),
    ...names.map((name) => `${name}:${header(name).replace(/ +/g, " ")}`),
    "",
    signedHeaders,
    header("x-amz-content-sha256"),
  ].join("\n");
  const scope = `${date}/${region}/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", header("x-amz-date"), scope, sha256(canonical)].join("\n");
  const key = [region, "s3", "aws4_request"].reduce<Buffer>(
    (before, part) => hmac(before, part),
    hmac(`AWS4${server.secretAccessKey}`, date ?? ""),
  );
  if (hmac(key, text).toString("hex") !== signature) return [403, "SignatureDoesNotMatch"];
  const stated = header("x-amz-content-sha256");
  if (stated !== "UNSIGNED-PAYLOAD" && stated !== sha256(body)) return [400, "XAmzContentSHA256Mismatch"];
  return undefined;
};

const numbers = (first = "", second = "", ...rest: readonly (string | undefined)[]): [number, number, ...number[]] =>
  rest.length === 0 && second.length === 2 && first.length === 4
    ? [Number(first), Number(second) - 1]
    : [Number(first), Number(second), ...rest.map(Number)];

const listPage = (url: URL, { objects, bucket }: S3Server): string => {
  const prefix = url.searchParams.get("prefix") ?? "";
  const after = Buffer.from(url.searchParams.get("continuation-token") ?? "", "base64url").toString();
  const pageSize = Math.min(PAGE, Number(url.searchParams.get("max-keys") ?? PAGE));
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
  const page = keys.slice(0, pageSize);
  const token = keys.length > page.length ? Buffer.from(page.at(-1) ?? "").toString("base64url") : undefined;
  const contents = page.map(
    (key) => `<Contents><Key>${escapeXml(key)}</Key><Size>${objects.get(key)?.length ?? 0}</Size></Contents>`,
  );
  const next = token === undefined ? "" : `<NextContinuationToken>${token}</NextContinuationToken>`;
  return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><Name>${bucket}</Name><IsTruncated>${String(token !== undefined)}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`;
};

const answer = async (request: IncomingMessage, response: ServerResponse, server: S3Server): Promise<void> => {
  const method = request.method ?? "";
  const url = new URL(request.url ?? "/", server.endpoint);
  const [bucket = "", ...rest] = url.pathname.slice(1).split("/").map(decodeURIComponent);
  const key = rest.join("/");
  if (method === "PUT" && server.cut(method, key)) {
    request.once("data", () => request.socket.destroy());
    return;
  }
  const body = await readAll(request);
  const fail = ([status, code]: Refusal): void => {
    response.writeHead(status, { "content-type": "application/xml" });
    response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`);
  };
  const refusal = refusalOf(request, body, server);
  if (refusal !== undefined) return fail(refusal);
  if (bucket !== server.bucket) return fail([404, "NoSuchBucket"]);
  server.requests.push(`${method} ${key}`);
  if (key === "") {
    response.writeHead(200, { "content-type": "application/xml" });
    response.end(listPage(url, server));
  } else if (method === "PUT") {
    server.objects.set(key, body);
    response.end();
  } else if (method === "DELETE") {
    server.objects.delete(key);
    response.writeHead(204).end();
  } else {
    const found = server.objects.get(key);
    if (found === undefined) return fail([404, "NoSuchKey"]);
    response.writeHead(200, { "content-length": found.length });
    if (method === "HEAD") response.end();
    else if (server.cut(method, key))
      response.write(found.subarray(0, Math.floor(found.length / 2)), () => request.socket.destroy());
    else response.end(found);
  }
};

export const startS3Server = async (): Promise<S3Server> => {
  const http = createServer((request, response) => {
    answer(request, response, server).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const address = http.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const server: S3Server = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: "backups",
    region: "eu-test-1",
    accessKeyId: "AKIATEST",
    secretAccessKey: "a-secret/key+of-the-tests",
    objects: new Map(),
    requests: [],
    cut: () => false,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return server;
};
