export type { Engine, EngineKind, EngineOptions, Say, StartEngine } from './engine.ts';
export { chooseMongo, mongoImage } from './mongo.ts';
export { freePort } from './ports.ts';
export { chooseRabbit, ensureRabbit, rabbitImage } from './rabbit.ts';
export { type ClusterNode, type RabbitCluster, startRabbitCluster } from './rabbit-cluster.ts';
