const isUpload = (value: unknown): value is Blob | Uint8Array => value instanceof Blob || value instanceof Uint8Array;

const blobOf = (value: unknown): Blob => {
  if (value instanceof Blob) return value;
  if (value instanceof Uint8Array) return new Blob([new Uint8Array(value)]);
  return new Blob([JSON.stringify(value)], { type: 'application/json' });
};

/** Files as files, texts as texts, everything else as JSON; a list of files as a repeated part. */
export const formOf = (body: object): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    const parts: unknown[] = Array.isArray(value) && value.some(isUpload) ? value : [value];
    for (const part of parts)
      if (typeof part === 'string') form.append(name, part);
      else if (part !== undefined) form.append(name, blobOf(part), name);
  }
  return form;
};
