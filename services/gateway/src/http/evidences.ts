import { EvidenceStatusReplySchema } from '@assay/contracts';
import { ApiError, ok, type Reply } from '@assay/http';
import { deleteEvidence, kindOfDeletion } from '../domain/deletion.ts';
import { ROLES } from '../domain/roles.ts';
import { evidenceStatusReply } from '../domain/views.ts';
import type { Access } from '../flows/access.ts';
import type { Effects } from '../flows/effect.ts';
import { type CallOf, identityIdOf, param } from './call.ts';
import { type Route, route } from './route.ts';

type StatusPath =
  | '/identities/{identityId}/status/{evidenceId}'
  | '/identities/{identityId}/evidences/{evidenceId}/status';

/** One evidence: endpoint 7 and its alias, and taking an evidence back. */
export const evidenceRoutes = ({ access, effects }: { access: Access; effects: Effects }): Route[] => {
  const status = async (call: CallOf<'identityId' | 'evidenceId'>): Promise<Reply> => {
    const identity = await access.read(call, identityIdOf(call));
    const evidenceId = param(call, 'evidenceId');
    const evidence = identity.evidences.find((entry) => entry.evidenceId === evidenceId);
    if (!evidence) throw new ApiError('NOT_FOUND');
    return ok(evidenceStatusReply(evidence));
  };
  const statusRoute = (id: string, path: StatusPath): Route =>
    route({
      id,
      method: 'get',
      path,
      summary: 'Status of one evidence',
      tag: 'Evidences',
      roles: ROLES.CLIENTS,
      reply: { description: 'Its status', schema: EvidenceStatusReplySchema },
      errors: ['CLOSED'],
      handle: status,
    });
  return [
    statusRoute('getEvidenceStatus', '/identities/{identityId}/status/{evidenceId}'),
    statusRoute('getEvidenceStatusAlias', '/identities/{identityId}/evidences/{evidenceId}/status'),
    route({
      id: 'deleteEvidence',
      audit: 'evidence.delete',
      method: 'delete',
      path: '/identities/{identityId}/evidences/{evidenceId}',
      summary: 'Delete an evidence',
      tag: 'Evidences',
      roles: ROLES.RELYING_SERVICE,
      reply: { description: 'Deleted; from now on 404' },
      errors: ['CLOSED', 'STATE_CONFLICT'],
      handle: async (call) => {
        const opened = await access.open(call, identityIdOf(call));
        const evidenceId = param(call, 'evidenceId');
        const { status: code } = await effects(call, opened, {
          method: 'DELETE',
          kind: kindOfDeletion(opened.identity, evidenceId),
          decide: (identity, operationId, now) => deleteEvidence(identity, { evidenceId, operationId, now }),
          body: () => undefined,
        });
        return { status: code };
      },
    }),
  ];
};
