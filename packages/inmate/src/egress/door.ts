/**
 * The door connects a cell to the network. It listens on the cell's loopback, and forwards each
 * connection over a separate byte stream of the link. The warden interprets the bytes.
 */
import type { ByteStream, StepEgress } from "@hearth/protocol";

/** A connection on the cell's loopback. */
export interface CellConnection {
  readonly bytes: AsyncIterable<Uint8Array>;
  write(bytes: Uint8Array): Promise<void>;
  end(): void;
  reset(): void;
}

export interface Listener {
  readonly port: number;
  close(): void;
}

/** Platform functions that a door uses. */
export interface DoorHost {
  /** Listens only on the cell's loopback. */
  listen(serve: (connection: CellConnection) => void): Promise<Listener>;
  /** Writes a text to a file that commands can read until the cell ends. Returns the absolute path. */
  writeTextFile(text: string): Promise<string>;
  /** Deletes the files that `writeTextFile` wrote. */
  deleteFiles(): Promise<void>;
}

export interface Door {
  /**
   * Returns the environment variables that make commands use the door. The first call opens it. If
   * it cannot be opened, returns no variables.
   */
  environmentFor(egress: StepEgress): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

export interface DoorOptions {
  readonly host: DoorHost;
  readonly openStream: (label: string) => ByteStream;
}

export const EGRESS_LABEL = "egress";

export const createDoor = ({ host, openStream }: DoorOptions): Door => {
  let opening: Promise<Listener> | undefined;
  const filePaths = new Map<string, Promise<string>>();

  const serve = (connection: CellConnection): void => {
    const stream = openStream(EGRESS_LABEL);
    /** Ends both directions after a failure in one of them. */
    const reset = (): void => {
      connection.reset();
      stream.reset();
    };
    copyBytes(connection, stream).catch(reset);
    copyBytes(stream, connection).catch(reset);
  };

  /** Writes a text once. A call after a failed call tries again. */
  const writeOnce = (text: string): Promise<string> => {
    const earlierWrite = filePaths.get(text);
    if (earlierWrite !== undefined) return earlierWrite;
    const writing = host.writeTextFile(text);
    filePaths.set(text, writing);
    writing.catch(() => filePaths.delete(text));
    return writing;
  };

  /** Opens the door once. A call after a failed call tries again. */
  const open = async (): Promise<Listener | undefined> => {
    opening ??= host.listen(serve);
    try {
      return await opening;
    } catch {
      opening = undefined;
      return undefined;
    }
  };

  return {
    async environmentFor({ token, certificate, model }) {
      const listener = await open();
      if (listener === undefined) return {};
      const proxy = `http://hearth:${token}@127.0.0.1:${listener.port}`;
      return {
        ...Object.fromEntries(PROXY_VARIABLES.map((name) => [name, proxy])),
        ...(certificate === undefined ? {} : certificateEnvironment(await writeOnce(certificate))),
        ...(model === undefined ? {} : modelEnvironment(model)),
        // Lets no host bypass the proxy, and makes Git send its credentials without waiting for a 407.
        no_proxy: "",
        NO_PROXY: "",
        GIT_HTTP_PROXY_AUTHMETHOD: "basic",
        NODE_USE_ENV_PROXY: "1",
      };
    },
    async close() {
      const listener = await opening?.catch(() => undefined);
      listener?.close();
      await host.deleteFiles();
    },
  };
};

/** Names of the proxy's variable. Programs use different names. */
const PROXY_VARIABLES = ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] as const;
const CERTIFICATE_VARIABLES = [
  "SSL_CERT_FILE",
  "CURL_CA_BUNDLE",
  "GIT_SSL_CAINFO",
  "NODE_EXTRA_CA_CERTS",
  "PIP_CERT",
  "REQUESTS_CA_BUNDLE",
  "npm_config_cafile",
  "CARGO_HTTP_CAINFO",
  "AWS_CA_BUNDLE",
  "DENO_CERT",
] as const;
const certificateEnvironment = (path: string): Readonly<Record<string, string>> =>
  Object.fromEntries(CERTIFICATE_VARIABLES.map((name) => [name, path]));

/** A key for programs that refuse to start without a key. The house ignores it. */
const NO_KEY = "no-key-needed";
const modelEnvironment = (address: string): Readonly<Record<string, string>> => ({
  ANTHROPIC_BASE_URL: address,
  ANTHROPIC_API_KEY: NO_KEY,
  OPENAI_BASE_URL: `${address}/v1`,
  OPENAI_API_BASE: `${address}/v1`,
  OPENAI_API_KEY: NO_KEY,
});

/** Copies the bytes of one direction until it ends. */
const copyBytes = async (
  from: Pick<CellConnection, "bytes">,
  to: Pick<CellConnection, "write" | "end">,
): Promise<void> => {
  for await (const bytes of from.bytes) await to.write(bytes);
  to.end();
};
