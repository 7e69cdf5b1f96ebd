import type { AssayClient, NfcSession } from '@assay/client';

/** What an app reads of a chip by NFC: the files, and the chip's answers. */
export interface ChipReader {
  /** EF.SOD and the data groups asked for, base64, as the chip gave them. */
  read(dataGroups: readonly number[]): Promise<{ documentSecurityObject: string; dataGroups: Record<string, string> }>;
  /** INTERNAL AUTHENTICATE with the service's challenge. */
  answerChallenge(challenge: string): Promise<string>;
  /** MSE:Set with the service's point, then the service's command as it is: the last exchange. */
  authenticate(asked: Awaited<ReturnType<AssayClient['authenticateChip']>>): Promise<string>;
}

/** Everything a reader app does with the service: session, read, answers, data. */
export const readChip = async (
  client: AssayClient,
  session: NfcSession,
  chip: ChipReader,
): Promise<{ id: string; status: string }> => {
  const files = await chip.read(session.dataGroups);
  const { '14': dataGroup14, '15': dataGroup15 } = files.dataGroups;
  const activeAuthenticationResponse =
    dataGroup15 && (await chip.answerChallenge(session.activeAuthenticationChallenge));
  // Last: from here on only the service and the chip have the keys.
  const asked = dataGroup14 && (await client.authenticateChip(session.sessionId, dataGroup14));
  const chipAuthentication = asked && { response: await chip.authenticate(asked) };
  return client.submitChip(session.sessionId, {
    ...files,
    accessProtocol: 'PACE',
    ...(activeAuthenticationResponse ? { activeAuthenticationResponse } : {}),
    ...(chipAuthentication ? { chipAuthentication } : {}),
    reader: { application: 'assay-demo', version: '1.0' },
  });
};
