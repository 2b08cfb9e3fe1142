import type { Exchange } from '../../../contract/exchange.ts'
import type { Operation } from '../../../contract/operation.ts'
import type { CallerReads, ReadPlan } from '../../../contract/plan/read-plan.ts'
import type { StreamForm } from '../../../contract/result-stream.ts'
import type { CompiledSource } from '../../../schema/compiled.ts'
import type { SchemaModel } from '../../../schema/model.ts'
import { sourcesOf } from '../../plan/describe-plan.ts'
import { cachedPlan } from '../../plan/plan-cache.ts'
import { planRead } from '../../plan/plan-read.ts'
import { planStream } from '../../plan/plan-stream.ts'
import type { EngineSettings } from '../context/context.ts'

/** Sources of an answer and the facts about the caller that it depends on. Cached with the template. */
interface ReadFacts {
  readonly names: readonly string[]
  readonly caller: CallerReads
  readonly bytes: number
}

const NONE: readonly string[] = Object.freeze([])
const NOBODY: CallerReads = { claims: new Set(), context: new Set() }
const BYTES = 300

/**
 * Returns the names of the views and tables that a query reads, as in `sql_source`: those of its selection, relations
 * and filters, and `additional_views` of its root fields. The result is cached for later requests with the same
 * document.
 * @returns an empty list for mutations and subscriptions
 * @throws SvcError if the operation cannot be planned with these variables
 */
export function readSources(exchange: Exchange, operation: Operation, settings: EngineSettings): readonly string[] {
  if (operation.template.kind !== 'query') return NONE
  return readFacts(exchange, operation, settings).names
}

/**
 * Returns the names of the claims and context values of the caller that access rules of a query depend on.
 * @throws as {@link readSources}
 */
export function callerReads(exchange: Exchange, operation: Operation, settings: EngineSettings): CallerReads {
  return readFacts(exchange, operation, settings).caller
}

function readFacts(exchange: Exchange, operation: Operation, settings: EngineSettings): ReadFacts {
  return cachedPlan(operation, 'sources', exchange.generation.schema, settings, findFacts)
}

function findFacts(_keep: boolean, operation: Operation, schema: SchemaModel, settings: EngineSettings): ReadFacts {
  const { form, template } = operation
  const plan = form === undefined ? planRead(operation, schema, settings) : asRead(operation, form, schema, settings)
  const declared = template.roots.flatMap((root) => {
    const query = root.kind === 'rows' ? root.query : 'operation' in root ? root.operation : undefined
    return query?.kind === 'query' ? query.additionalViews : NONE
  })
  const names = Object.freeze([...new Set([...sourceNames(schema, sourcesOf(plan)), ...declared])])
  return { names, caller: plan.caller ?? NOBODY, bytes: BYTES }
}

function asRead(
  operation: Operation,
  form: StreamForm,
  schema: SchemaModel,
  settings: EngineSettings,
): Pick<ReadPlan, 'roots' | 'caller'> {
  const { rows, caller } = planStream(operation, form, schema, settings)
  return { roots: [{ key: '', value: { kind: 'list', rows } }], ...(caller === undefined ? {} : { caller }) }
}

/** Returns the names of sources as in `sql_source`. */
function sourceNames(schema: SchemaModel, sources: readonly CompiledSource[]): readonly string[] {
  const named = new Map([...schema.sources].map(([name, source]) => [source, name]))
  return [...new Set(sources.map((source) => named.get(source) ?? source.name))]
}
