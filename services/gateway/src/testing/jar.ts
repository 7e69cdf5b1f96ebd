/** The cookies of a browser: stores cookies, sends them back, and follows no redirect by itself. */
export const createJar = (base: string) => {
  const cookies = new Map<string, string>();
  const take = (response: Response): void => {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      const isOver = attributes.some((one) => /^max-age=0$/i.test(one) || /^expires=.*1970/i.test(one));
      if (isOver) cookies.delete(name);
      else cookies.set(name, value);
    }
  };
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, origin: base, ...(init.headers as Record<string, string>) };
    const response = await fetch(new URL(path, base), { redirect: 'manual', ...init, headers });
    take(response);
    return response;
  };
  return {
    cookies,
    send,
    json: async (path: string, init?: RequestInit) => {
      const response = await send(path, init);
      const body = await response.text();
      const isJson = /json/.test(response.headers.get('content-type') ?? '');
      return { status: response.status, body: isJson ? JSON.parse(body) : undefined };
    },
  };
};
export type Jar = ReturnType<typeof createJar>;
