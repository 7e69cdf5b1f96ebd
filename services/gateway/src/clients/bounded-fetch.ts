const LARGEST_ANSWER = 1024 * 1024;
/** Statuses whose answers have no body, not even an empty one. */
const WITHOUT_BODY = [101, 103, 204, 205, 304];

class AnswerTooLarge extends Error {
  readonly code = 'ANSWER_TOO_LARGE';
}

/**
 * `fetch`, with an answer of at most a megabyte: whoever answers could send for as long as the time
 * limit allows. Throws AnswerTooLarge.
 */
export const boundedFetch = async (url: string, init: RequestInit): Promise<Response> => {
  const answer = await fetch(url, init);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of answer.body ?? []) {
    size += piece.length;
    // Leaving the loop ends the connection.
    if (size > LARGEST_ANSWER) throw new AnswerTooLarge(`more than ${LARGEST_ANSWER} bytes`);
    pieces.push(piece);
  }
  const { status, statusText, headers } = answer;
  return new Response(WITHOUT_BODY.includes(status) ? null : Buffer.concat(pieces), { status, statusText, headers });
};
