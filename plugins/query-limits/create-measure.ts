import { SvcError } from '../../core/doors/plugin.ts'
import { type FragmentDefinitionNode, Kind, type OperationDefinitionNode } from '../graphql/api.ts'
import type { QueryMeasure } from './api.ts'
import { complexityOf } from './complexity.ts'
import { createCounter } from './counts.ts'
import { depthOf } from './depth.ts'
import { measureRoot } from './measure-root.ts'
import type { QueryLimits } from './options.ts'

/** Where nothing bounds: fragments that multiply are not counted to their end. */
const MOST = 1_000_000

/** The limits' own count, for those who show it. */
export function createMeasure(limits: QueryLimits): QueryMeasure {
  return {
    document(document, schema, operationName) {
      const fragments = new Map<string, FragmentDefinitionNode>()
      let operation: OperationDefinitionNode | undefined
      for (const each of document.definitions) {
        if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each)
        else if (each.kind === Kind.OPERATION_DEFINITION && (operationName ?? each.name?.value) === each.name?.value) {
          operation = each
        }
      }
      if (operation === undefined) throw new SvcError('REQUEST_ERROR', 'The document has no such operation.')
      return {
        depth: depthOf(operation, fragments, MOST),
        complexity: complexityOf(operation, fragments, schema, { ...limits, max_query_complexity: MOST }),
        aliases: createCounter(fragments)(operation).aliases,
      }
    },
    operation({ roots }) {
      const measured = roots.map((root) => measureRoot(root, limits))
      return {
        depth: Math.max(0, ...measured.map(({ depth }) => depth)),
        complexity: Math.max(0, ...measured.map(({ complexity }) => complexity)),
        aliases: 0,
      }
    },
  }
}
