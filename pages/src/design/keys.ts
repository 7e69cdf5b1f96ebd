/**
 * Whether a text can be a key. What is pasted may have letters that no browser sends in a header,
 * such as typographic quotes or an invisible space: such a request fails as if nobody answered.
 */
export const canBeKey = (text: string): boolean => /^[ -~]*$/.test(text);
