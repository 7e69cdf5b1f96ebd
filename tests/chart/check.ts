import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ScaledObject, TriggerAuthentication } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { PrometheusRule, ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';

type Values = Record<string, unknown>;
type Kind = new (given: never) => { validate(): void };

/**
 * The kinds of object that the chart makes, by API version: where their types are, and what
 * validates them.
 */
const KINDS: Record<string, { from: string; kinds: Record<string, Kind> }> = {
  v1: { from: 'kubernetes-models/v1', kinds: { Service } },
  'apps/v1': { from: 'kubernetes-models/apps/v1', kinds: { Deployment } },
  'policy/v1': { from: 'kubernetes-models/policy/v1', kinds: { PodDisruptionBudget } },
  'networking.k8s.io/v1': { from: 'kubernetes-models/networking.k8s.io/v1', kinds: { Ingress, NetworkPolicy } },
  'keda.sh/v1alpha1': {
    from: '@kubernetes-models/keda/keda.sh/v1alpha1',
    kinds: { ScaledObject, TriggerAuthentication },
  },
  'monitoring.coreos.com/v1': {
    from: '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
    kinds: { ServiceMonitor, PrometheusRule },
  },
};

const root = join(import.meta.dirname, '../..');

/** Throws what the schema of its kind finds wrong with an object. */
export const validate = (object: Values): void => {
  const { apiVersion, kind } = object;
  const Known = KINDS[String(apiVersion)]?.kinds[String(kind)];
  if (!Known) throw new Error(`${apiVersion} ${kind} is no kind that the chart makes`);
  new Known(object as never).validate();
};

/**
 * What the compiler finds wrong with objects. The schemas accept unknown members, which a cluster
 * would drop silently; the compiler names them.
 */
export const typeFaultsOf = (objects: readonly Values[], folder: string): string[] => {
  mkdirSync(folder, { recursive: true });
  const lines = objects.map((object, at) => {
    const { from } = KINDS[String(object.apiVersion)]!;
    return `import type { I${object.kind} as T${at} } from '${from}';\nexport const one${at}: T${at} = ${JSON.stringify(object)};`;
  });
  const file = join(folder, 'objects.ts');
  writeFileSync(file, lines.join('\n'));
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--ignoreConfig'];
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, ...options, file], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return stdout.split('\n').filter((line) => line.includes('error'));
};
