import type { Route } from './route.ts';

/** What a sample sends: the least that shows the form. */
const bodyOf = ({ body }: Route): { curl: string; typescript: string; python: string } => {
  if (body?.kind === 'form') {
    const [part = 'File'] = Object.entries(body.parts).flatMap(([name, { file }]) => (file ? [name] : []));
    return { curl: ` -F ${part}=@FILE`, typescript: `, body: { ${part}: file }`, python: `, body={"${part}": file}` };
  }
  if (body?.kind !== 'json' || body.mayBeAbsent) return { curl: '', typescript: '', python: '' };
  return { curl: " -H 'content-type: application/json' -d @body.json", typescript: ', body', python: ', body=body' };
};

/** One call in curl, TypeScript and Python, to be copied. */
export const codeSamples = (route: Route, path: string) => {
  const { id, method } = route;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const { curl, typescript, python } = bodyOf(route);
  const address = names.reduce((at, name) => at.replace(`{${name}}`, `$${name}`), path);
  const given = names.length > 0 ? `path: { ${names.join(', ')} }` : '';
  const named = names.length > 0 ? `, path={${names.map((name) => `"${name}": ${name}`).join(', ')}}` : '';
  const input = `${given}${given ? typescript : typescript.replace(/^, /, '')}`;
  const verb = method === 'get' ? '' : ` -X ${method.toUpperCase()}`;
  return [
    { lang: 'Shell', label: 'curl', source: `curl -s${verb} -H "apikey: $KEY"${curl} "$SUITE${address}"` },
    { lang: 'TypeScript', source: `await assay.call('${id}', {${input ? ` ${input} ` : ''}});` },
    { lang: 'Python', source: `assay.call("${id}"${named}${python})` },
  ];
};
