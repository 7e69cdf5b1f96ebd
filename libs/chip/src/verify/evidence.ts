import type { ChipAuthenticationState } from '../chip-authentication/chip-authentication.ts';
import type { TrustStore } from '../trust/store.ts';

/** What a reader sent from a chip, our challenge and command, and the issuers we trust. */
export interface ChipEvidence {
  readonly files: {
    readonly documentSecurityObject: Uint8Array;
    /** EF.COM and the files of access control are not signed, so nothing is concluded from them. */
    readonly comFile?: Uint8Array;
    readonly cardAccess?: Uint8Array;
    readonly cardSecurity?: Uint8Array;
  };
  /** The data groups by number, each file as the chip gave it. */
  readonly dataGroups: Readonly<Record<string, Uint8Array>>;
  /** The challenge that we drew. Without it an answer proves nothing. */
  readonly challenge?: Uint8Array;
  readonly activeAuthenticationResponse?: Uint8Array;
  readonly chipAuthentication?: {
    readonly state: ChipAuthenticationState;
    readonly response: Uint8Array;
    /**
     * Our command, if the reader sends it back. If it was changed, the answer is to another
     * command.
     */
    readonly command?: Uint8Array;
  };
  readonly trust: TrustStore;
  readonly now: Date;
  /** The machine-readable zone that the image evidence of the same document shows. */
  readonly imageMrz?: string;
}
