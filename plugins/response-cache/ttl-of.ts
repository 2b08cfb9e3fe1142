import type { OperationTemplate, RootSelection } from '../../core/doors/plugin.ts'

/**
 * How long answers of an operation may be kept: as long as the root that may be kept least.
 * @returns milliseconds; 0 = it is not kept: a write, a stream of events, a root without a `cache_ttl`, or one that a plugin answers
 */
export function ttlOf({ kind, roots, hasCalls }: OperationTemplate, defaultSecs: number): number {
  if (kind !== 'query' || hasCalls === true) return 0
  // `__typename` is the same whatever stands beside it.
  const read = roots.filter(({ kind }) => kind !== 'typename')
  return read.length === 0 ? 0 : Math.min(...read.map((root) => secsOf(root, defaultSecs))) * 1000
}

function secsOf(root: RootSelection, defaultSecs: number): number {
  if ((root.kind !== 'operation' && root.kind !== 'aggregate') || root.operation.kind !== 'query') return 0
  const { cache, cacheTtl } = root.operation
  if (cache === false) return 0
  return cacheTtl ?? (cache === true ? defaultSecs : 0)
}
