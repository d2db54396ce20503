/** Scales down pictures of the workspace, each in a new process of the cell. */
import { join } from "node:path";
import { MAX_SCALED_BYTES, PictureHeader, type PictureLimits } from "@hearth/protocol/picture-sizes";
import type { Spawn } from "../../tools/spawn.ts";
import type { ScalePicture } from "../../tools/tool.ts";

export const createScalePicture =
  (options: {
    readonly spawn: Pick<Spawn, "run">;
    readonly command: readonly string[];
    readonly workspace: string;
  }): ScalePicture =>
  async (path: string, limits: PictureLimits, signal: AbortSignal) => {
    const { spawn, command, workspace } = options;
    const { end, code, output } = await spawn.run(
      {
        argv: [...command, join(workspace, path), JSON.stringify(limits)],
        cwd: "/",
        env: {},
        // Leaves room for Base64 and the other fields.
        maxOutputSize: MAX_SCALED_BYTES * 2,
      },
      signal,
    );
    if (end === "stopped") return { kind: "refused", why: "Scaling the picture down took too long." };
    if (end === "exited" && code === 0) {
      const result = JSON.parse(output);
      const header = PictureHeader.parse(result);
      return header.kind === "refused" ? header : { ...header, bytes: Uint8Array.fromBase64(result.bytes) };
    }
    return {
      kind: "refused",
      why: "The process that decoded the picture ended, because it needed more resources than the cell allows.",
    };
  };
