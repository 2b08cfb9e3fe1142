import { definePlugin, type OperationTemplate, type RootSelection, SvcError } from '../../core/doors/plugin.ts'
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
} from '../graphql/api.ts'
import type { QueryMeasure } from './api.ts'
import { complexityOf } from './complexity.ts'
import { createCounter } from './counts.ts'
import { depthOf } from './depth.ts'
import manifest from './manifest.ts'
import { type Measured, measureRoot } from './measure-root.ts'
import type { QueryLimits } from './options.ts'

/**
 * The plugin that limits depth, complexity and aliases of requests. A GraphQL document is checked once, after
 * validation, and the result is cached with it. Requests of other APIs are checked each time.
 */
export default definePlugin<QueryLimits>(manifest, (scope, limits) => {
  scope.on('graphql:prepared', ({ document, schema }) => checkDocument(document, schema, limits))
  const check = createOperationCheck(limits)
  scope.on('authorize', (_ctx, { template }) => check(template), { position: 'guard' })
  scope.on('graphql:batch', ({ templates }) => checkBatch(templates, limits))
  scope.provide('queryMeasure', createMeasure(limits))
})

/**
 * Checks the total complexity of a batch against the limit of a single request. All limits of each request were checked with its document.
 * @throws SvcError VALIDATION_ERROR
 */
function checkBatch(templates: readonly OperationTemplate[], limits: QueryLimits): void {
  const limit = limits.max_query_complexity
  if (limit === 0) return
  let complexity = 0
  for (const { roots } of templates) for (const root of roots) complexity += measureRoot(root, limits).complexity
  if (complexity <= limit) return
  const setting = 'validation.max_query_complexity'
  throw new SvcError('VALIDATION_ERROR', `The batch is more complex than ${limit}: send it in parts (${setting}).`, {
    details: { limit, setting },
  })
}

/**
 * Checks every operation of a document against the limits (docs/plugins/query-limits.md). Fields with `@skip` or `@include` count in any
 * case.
 * @param document a valid document
 * @throws SvcError VALIDATION_ERROR, with `limit` and `setting` in the details
 */
function checkDocument(document: DocumentNode, schema: GraphQLSchema, limits: QueryLimits): void {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const each of document.definitions)
    if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each)
  const count = createCounter(fragments)
  for (const operation of document.definitions) {
    if (operation.kind !== Kind.OPERATION_DEFINITION) continue
    const refuse = (key: keyof QueryLimits, what: string): never => {
      const name = operation.name === undefined ? 'The operation' : `The operation "${operation.name.value}"`
      throw new SvcError('VALIDATION_ERROR', `${name} ${what} (validation.${key}).`, {
        details: { limit: limits[key], setting: `validation.${key}` },
        ...(operation.loc === undefined
          ? {}
          : { locations: [{ line: operation.loc.startToken.line, column: operation.loc.startToken.column }] }),
      })
    }
    const { aliases, directives, rootFields } = count(operation)
    const { max_query_aliases, max_query_complexity, max_query_depth, max_query_directives, max_query_root_fields } =
      limits
    if (exceeds(rootFields, max_query_root_fields))
      refuse('max_query_root_fields', `selects ${rootFields} root fields; at most ${max_query_root_fields} may be`)
    if (exceeds(aliases, max_query_aliases))
      refuse('max_query_aliases', `has ${shown(aliases)} aliases; at most ${max_query_aliases} may be`)
    if (exceeds(directives, max_query_directives))
      refuse('max_query_directives', `uses ${shown(directives)} directives; at most ${max_query_directives} may be`)
    if (max_query_depth > 0 && depthOf(operation, fragments, max_query_depth) > max_query_depth)
      refuse('max_query_depth', `is nested deeper than ${max_query_depth} levels`)
    if (max_query_complexity > 0 && complexityOf(operation, fragments, schema, limits) > max_query_complexity)
      refuse('max_query_complexity', `is more complex than ${max_query_complexity}: select less, or ask in parts`)
  }
}

function exceeds(value: number, bound: number): boolean {
  return bound > 0 && value > bound
}

/** Shortens huge numbers, which nested fragments cause. */
function shown(value: number): string {
  return value > 1_000_000 ? 'more than a million' : String(value)
}

type Verdict = (() => SvcError) | null

/**
 * Creates the check of depth and complexity for operations of all fronts. Operations of GraphQL documents were checked before, and pass. Each
 * root is checked separately, because fronts that write many rows create a root per row, and limit their number themselves. Each template
 * is measured once.
 * @returns a check that throws SvcError VALIDATION_ERROR, with the limit and its key in the details
 */
function createOperationCheck(limits: QueryLimits): (template: OperationTemplate) => void {
  const verdicts = new WeakMap<OperationTemplate, Verdict>()
  return (template) => {
    let verdict = verdicts.get(template)
    if (verdict === undefined) {
      verdict = judge(template, limits)
      verdicts.set(template, verdict)
    }
    if (verdict !== null) throw verdict()
  }
}

function judge({ roots }: OperationTemplate, limits: QueryLimits): Verdict {
  for (const root of roots) {
    const broken = brokenBy(measureRoot(root, limits), limits)
    if (broken !== null) return () => refusal(root, broken, limits[broken])
  }
  return null
}

function brokenBy({ depth, complexity }: Measured, limits: QueryLimits): Broken | null {
  const { max_query_depth, max_query_complexity } = limits
  if (max_query_depth > 0 && depth > max_query_depth) return 'max_query_depth'
  if (max_query_complexity > 0 && complexity > max_query_complexity) return 'max_query_complexity'
  return null
}

type Broken = 'max_query_depth' | 'max_query_complexity'

function refusal(root: RootSelection, broken: Broken, limit: number): SvcError {
  const setting = `validation.${broken}`
  const what =
    broken === 'max_query_depth'
      ? `is nested deeper than ${limit} levels`
      : `is more complex than ${limit}: select less, or ask in parts`
  const name = 'operation' in root ? `"${root.operation.wireName}"` : 'this'
  return new SvcError('VALIDATION_ERROR', `What is selected of ${name} ${what} (${setting}).`, {
    details: { limit, setting },
  })
}

/** Number at which counting stops without a limit, because nested fragments multiply. */
const MOST = 1_000_000

/** Creates the measure for plugins that show these numbers. */
function createMeasure(limits: QueryLimits): QueryMeasure {
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
