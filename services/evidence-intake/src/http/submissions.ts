import { EVIDENCE_TYPES, OneOf } from '@assay/contracts';
import { ApiError, claimsOf, ok, parseBody, type Reply } from '@assay/http';
import type { Request } from 'express';
import { Type } from 'typebox';
import { type AcceptSubmission, acceptedSubmission } from '../flows/accept-submission.ts';

const SubmissionSchema = Type.Object({
  type: OneOf(EVIDENCE_TYPES),
  submission: Type.Record(Type.String(), Type.Unknown(), { minProperties: 1 }),
});

/**
 * POST /internal/v1/evidences {type, submission: {documentText | healthCard | attributes |
 * address}}: an evidence without files (endpoints 4 and 5, attributes, addresses), validated by the
 * gateway already. Answers as the capture route does; the same evidenceId again gets the first
 * answer.
 */
export const createSubmissionRoute =
  ({ accept }: { accept: AcceptSubmission }) =>
  async (request: Request): Promise<Reply> => {
    const claims = claimsOf(request);
    const { type, submission } = parseBody(SubmissionSchema, request.body);
    const evidence = await accept(claims, { type, media: [], content: submission });
    if (evidence.tenantId !== claims.tenantId) throw new ApiError('NOT_FOUND');
    return ok(acceptedSubmission(evidence));
  };
