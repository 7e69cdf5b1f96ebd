import { FAMILY_OF_TYPE, type MediaReference } from '@assay/contracts';
import { ApiError, type Reply } from '@assay/http';
import { newId } from '@assay/runtime';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import { ROLES } from '../domain/roles.ts';
import { currentPortrait } from '../domain/views.ts';
import type { Access, Opened } from '../flows/access.ts';
import { type CallOf, identityIdOf, param } from './call.ts';
import { multipartReply } from './multipart-reply.ts';
import { type Route, route } from './route.ts';

/** Name of the part by what the medium is. */
const PART_NAMES: Readonly<Partial<Record<MediaReference['role'], string>>> = {
  FRONT: 'DocumentFront',
  BACK: 'DocumentBack',
  PORTRAIT: 'Portrait',
};

const extensionOf = (contentType: string): string => contentType.split('/')[1]?.replace('jpeg', 'jpg') ?? 'bin';

/** The images of an evidence, byte for byte as uploaded (specification, Replies). */
export const captureRoutes = ({ access, intake }: { access: Access; intake: EvidenceIntake }): Route[] => {
  const captures = async (call: CallOf<never>, opened: Opened, evidenceId: string): Promise<Reply> => {
    const claims = access.claims(call, opened);
    const media = (await intake.media(claims, evidenceId)).filter(({ role }) => PART_NAMES[role] !== undefined);
    if (media.length === 0) throw new ApiError('NOT_FOUND');
    return multipartReply(
      `assay-${newId()}`,
      media.map(({ mediaId, role, contentType, bytes }) => {
        const name = PART_NAMES[role] ?? role;
        const filename = `${name}.${extensionOf(contentType)}`;
        return { name, filename, contentType, bytes, open: () => intake.read(claims, mediaId) };
      }),
    );
  };
  const common = {
    method: 'get' as const,
    roles: ROLES.RELYING_SERVICE,
    reply: { description: 'The images in a MIME multipart envelope', contentType: 'multipart/form-data' },
    errors: ['CLOSED'] as const,
    isPersonal: true as const,
  };
  return [
    route({
      ...common,
      id: 'getDocumentCapture',
      path: '/identities/{identityId}/id-documents/{evidenceId}/capture',
      summary: 'The images of a document as uploaded',
      tag: 'Documents',
      handle: async (call) => {
        const opened = await access.open(call, identityIdOf(call));
        const evidenceId = param(call, 'evidenceId');
        const evidence = opened.identity.evidences.find((entry) => entry.evidenceId === evidenceId);
        if (!evidence || FAMILY_OF_TYPE[evidence.type] !== 'IDDOCUMENT') throw new ApiError('NOT_FOUND');
        return captures(call, opened, evidenceId);
      },
    }),
    route({
      ...common,
      id: 'getPortraitCapture',
      path: '/identities/{identityId}/attributes/portrait/capture',
      summary: 'The portrait as uploaded',
      tag: 'Portrait',
      handle: async (call) => {
        const opened = await access.open(call, identityIdOf(call));
        const portrait = currentPortrait(opened.identity);
        if (!portrait) throw new ApiError('NOT_FOUND');
        return captures(call, opened, portrait.evidenceId);
      },
    }),
  ];
};
