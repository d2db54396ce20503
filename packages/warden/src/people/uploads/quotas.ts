/** Quotas of uploads: the space that each agent and each house uses, and its limit. */
import type { Guard, Row, Store, Write } from "../../kernel/index.ts";
import { HearthError, showSize } from "@hearth/protocol";
import type { AttachmentPlan, UploadLimits } from "./uploads.ts";

/** Maximum number of incomplete uploads of one agent. */
const MAX_OPEN_UPLOADS = 100;

export interface Quotas {
  /**
   * Returns the guards and writes that change the used space of an upload's owner and house. The
   * commit is refused if another one changed it meanwhile. Throws `upload.quota`, `upload.limit`.
   */
  plan(
    upload: Pick<Row<"uploads">, "owner" | "house">,
    change: { readonly bytes: number; readonly open: number },
  ): Promise<AttachmentPlan>;
}

export const createQuotas = ({
  store,
  limits,
}: {
  readonly store: Pick<Store, "select">;
  readonly limits: () => UploadLimits;
}): Quotas => ({
  async plan({ owner, house }, { bytes, open }) {
    const guards: Guard[] = [];
    const writes: Write[] = [];
    const { personBytes, houseBytes } = limits();
    for (const [holder, maxBytes, subject] of [
      [owner, personBytes, "your uploads"],
      [house, houseBytes, "the uploads of this house"],
    ] as const) {
      const [row] = await store.select({ table: "upload_quotas", where: { holder } });
      const newRow = { holder, bytes: (row?.bytes ?? 0) + bytes, open: (row?.open ?? 0) + open };
      if (bytes > 0 && newRow.bytes > maxBytes) throw overQuotaError(subject, newRow.bytes - bytes, maxBytes);
      if (holder === owner && open > 0 && newRow.open > MAX_OPEN_UPLOADS) throw tooManyOpenError();
      guards.push(
        row === undefined
          ? { kind: "absent", table: "upload_quotas", where: { holder } }
          : { kind: "exists", table: "upload_quotas", where: row },
      );
      writes.push({ kind: "put", table: "upload_quotas", row: newRow });
    }
    return { guards, writes };
  },
});

const overQuotaError = (owner: string, usedBytes: number, maxBytes: number): HearthError => {
  const usage = `${owner} take ${showSize(usedBytes)} of ${showSize(maxBytes)}`;
  return new HearthError("upload.quota", `The file does not fit: ${usage}.`, {
    hint: "Delete messages with large attachments. Or an administrator raises the quota in Settings → Limits.",
  });
};

const tooManyOpenError = (): HearthError =>
  new HearthError("upload.limit", `You have ${MAX_OPEN_UPLOADS} uploads that are not complete.`, {
    hint: "Complete or cancel some of them.",
  });
