/** Shows a new invite link once, as text and as a QR code. */
import type { CreatedInvite } from "@hearth/protocol";
import { createLazyPart } from "../../house/lazy-part.tsx";
import { ShownOnce } from "../form/shown-once.tsx";
import { LocalAddressHint } from "./local-address-hint.tsx";
import * as texts from "./text.ts";

const QrCode = createLazyPart({ load: async () => (await import("../../design/qr-code.tsx")).QrCode });

export interface NewInviteProps {
  readonly invite: Pick<CreatedInvite, "url" | "publicUrl">;
  readonly onClose: () => void;
}

export const NewInvite = ({ invite, onClose }: NewInviteProps) => {
  const link = invite.publicUrl ?? invite.url;
  return (
    <ShownOnce title={texts.newLink} text={link} copyLabel={texts.copy} onClose={onClose}>
      <QrCode text={link} label={texts.qrOfLink} />
      {invite.publicUrl === undefined ? <LocalAddressHint /> : undefined}
    </ShownOnce>
  );
};
