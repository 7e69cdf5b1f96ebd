/**
 * Counts verification questions. One asked again under its id is the same question: it is counted
 * once and gets the answer it had.
 */
export interface Questions<A> {
  /** `spelled` is the document's number as its record spells it, or as it arrived. */
  answer(id: string, spelled: string, think: () => A): A;
  counts(): { count: number; byDocument: Record<string, number> };
}

const REMEMBERED = 200_000;

export const createQuestions = <A>(): Questions<A> => {
  const answers = new Map<string, A>();
  const byDocument = new Map<string, number>();
  let count = 0;
  return {
    answer: (id, spelled, think) => {
      const earlier = answers.get(id);
      if (earlier !== undefined) return earlier;
      count += 1;
      byDocument.set(spelled, (byDocument.get(spelled) ?? 0) + 1);
      const answer = think();
      answers.set(id, answer);
      if (answers.size > REMEMBERED) answers.delete(answers.keys().next().value!);
      return answer;
    },
    counts: () => ({ count, byDocument: Object.fromEntries(byDocument) }),
  };
};
