import { readStack, type Tenant } from '@assay/testing';
import type { Identity } from './everything.ts';
import { headers, licence, marked } from './person.ts';

/** Requests that are refused, with the mark wherever one can stand. */
export const refusals = async (tenant: Tenant, identity: Identity) => {
  const { relyingService: api, admin, operator, keys, tenantId } = tenant;
  const { baseUrl } = readStack();
  const raw = (path: string, init: RequestInit) =>
    fetch(new URL(path, baseUrl), { ...init, headers: { apikey: keys.relyingService, ...init.headers } });
  const json = { 'content-type': 'application/json' };
  const answers = await Promise.all([
    raw(`${identity.at}/id-documents`, { method: 'POST', body: `{"surname": ${marked('broken')}`, headers: json }),
    raw(`${identity.at}/id-documents`, { method: 'POST', body: `"${marked('text')}"`, headers: json }),
    raw(`${identity.at}/id-documents/capture`, {
      method: 'POST',
      body: `--B\r\nContent-Disposition: form-data; name="${marked('cut')}"\r\n\r\n${marked('cutvalue')}`,
      headers: { 'content-type': 'multipart/form-data; boundary=B' },
    }),
    raw(`${identity.at}/id-documents/capture`, {
      method: 'POST',
      body: marked('body'),
      headers: { 'content-type': `multipart/form-data; boundary=${marked('boundary')}` },
    }),
    raw(`${identity.at}/consents`, { method: 'POST', headers: { ...json, apikey: marked('key') } }),
    raw(`${identity.at}/consents`, {
      method: 'POST',
      headers: { ...json, 'x-request-id': `${marked('id')} with blanks` },
    }),
  ]);
  const refused = [
    await api.post(`${identity.at}/consents`, [{ approved: true, type: marked('type') }]),
    await api.post(`${identity.at}/id-documents`, { ...licence('bad', 'USA', 'VA'), idDocumentType: marked('kind') }),
    await api.post(`${identity.at}/id-documents`, { ...licence('bad', 'USA', 'VA'), expiryDate: marked('date') }),
    await api.get(`/svc/v1/identities/${marked('identity')}`),
    await api.get(`/svc/v1/${marked('path')}/${marked('path')}?who=${marked('query')}`),
    await api.get(`${identity.at}?who=${marked('query')}`),
    await api.delete(`${identity.at}/evidences/${marked('evidence')}`),
    await api.get(`${identity.at}/status/${marked('evidence')}`),
    await api.get('/svc/v1/%E0%A4%A', headers),
    await operator.get(`/operator/v1/cases?state=${marked('state')}`),
    await operator.get(`/operator/v1/cases?cursor=${marked('cursor')}`),
    await operator.get(`/operator/v1/cases/${marked('case')}`),
    await operator.get(`/operator/v1/cases/${marked('case')}/media/${marked('medium')}`),
    await admin.get(`/admin/v1/tenants/${tenantId}/identities?businessId=${marked('business')}`),
    await admin.get(`/admin/v1/tenants/${tenantId}/identities?identityId=${marked('sought')}`),
    await admin.get(`/admin/v1/tenants/${marked('tenant')}/audit`),
    await admin.get(`/admin/v1/tenants/${tenantId}/identities/${marked('sought')}/timeline`),
    await admin.get(`/admin/v1/tenants/${tenantId}/identities/${marked('sought')}/export`),
    await api.get(`/admin/v1/tenants/${tenantId}/identities/${marked('role')}/export`),
    await api.upload(`${identity.at}/id-documents/capture`, { DocumentFront: Buffer.from(marked('noimage')) }),
  ];
  return [...answers.map(({ status }) => status), ...refused.map(({ status }) => status)];
};
