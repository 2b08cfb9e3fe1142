import { toWireName } from '../../base/util/naming.ts'
import { listNames } from '../../base/util/nearest.ts'
import type { AuthoredField } from '../../schema/authored.ts'
import type { FieldModel, SchemaModel } from '../../schema/model.ts'
import { operatorsFor } from '../../schema/operators/operators.ts'
import { scalarOf } from '../../schema/scalars.ts'
import { METRICS } from '../../schema/semantic/vector.ts'
import type { CompileContext } from '../ground/context.ts'

/** Maximum number of dimensions of a pgvector column. */
const MOST_DIMENSIONS: Readonly<Record<string, number>> = {
  Vector: 16_000,
  HalfVector: 16_000,
  SparseVector: 1_000_000_000,
  BitVector: 64_000,
}

/**
 * Checks vector fields, such as their number of dimensions, and reports the option `vector_config` on other fields. It
 * runs on the schema with resolved names (`SchemaModel`), which contains where each field is read from.
 */
export function checkVectors(context: CompileContext, model: SchemaModel): void {
  const { schema, report } = context
  for (const owner of [...(schema.types ?? []), ...(schema.interfaces ?? [])]) {
    const linked = model.types.get(owner.name)
    if (linked?.kind !== 'object' && linked?.kind !== 'interface') continue
    for (const field of owner.fields) {
      const own = linked.fields.get(toWireName(field.name))
      if (own === undefined) continue
      for (const problem of problemsOf(context, field, own, linked.kind === 'object' ? linked.source : null))
        report.fault('vector', `${owner.name}.${field.name}: ${problem}`, field, owner)
    }
  }
}

type Source = { readonly columns: readonly { readonly name: string; readonly dimensions?: number }[] } | null

function problemsOf(
  { catalog }: CompileContext,
  field: AuthoredField,
  own: FieldModel,
  source: Source,
): readonly string[] {
  const { named, read } = own
  const scalar = named.kind === 'scalar' ? scalarOf(named) : undefined
  if (named.kind !== 'scalar' || scalar?.group !== 'vector') {
    if (field.vector_config === undefined) return []
    const kinds = listNames(Object.keys(MOST_DIMENSIONS))
    return [`vector_config is about vectors, and ${field.type} is none. Declare ${kinds}, or drop vector_config.`]
  }
  const problems: string[] = []
  if (own.list) problems.push('lists of vectors are not read. Give each vector a row of a type of its own.')
  if (field.searchable === true) problems.push(`search reads text, and ${named.name} is none. Drop searchable.`)
  if (field.orderable === true) problems.push('vectors have no order. Drop orderable.')
  const { dimensions, distance_metric: metric } = field.vector_config ?? {}
  const base = named.semantic ?? named.name
  const most = MOST_DIMENSIONS[base] ?? Number.POSITIVE_INFINITY
  if (dimensions !== undefined && dimensions > most)
    problems.push(`${dimensions} dimensions are more than ${base} can have: ${most}. Make it fewer.`)
  const column = read?.from === 'column' ? source?.columns.find(({ name }) => name === read.column) : undefined
  if (dimensions !== undefined && column?.dimensions !== undefined && column.dimensions !== dimensions) {
    problems.push(
      `vector_config says ${dimensions} dimensions, and its column has ${column.dimensions}. Drop dimensions, or make the two the same.`,
    )
  }
  if (metric === undefined || own.list) return problems
  if (field.filter_operators !== undefined)
    problems.push('distance_metric and filter_operators both say which operators there are. Drop one of them.')
  const names = operatorsFor({ ...own, filterable: true, filterOperators: null }).map(({ name }) => name)
  const metrics = Object.keys(METRICS).filter((name) => names.includes(METRICS[name]!))
  if (metrics.includes(metric)) return problems
  if (metrics.length > 0) problems.push(`${base} has no distance_metric "${metric}". It has: ${listNames(metrics)}.`)
  else if (catalog !== null)
    problems.push(
      `distance_metric needs a column of pgvector, and ${named.name} is read ${whereFrom(own)} here. Create the extension (CREATE EXTENSION vector), give the source a column of its type, or drop distance_metric.`,
    )
  return problems
}

function whereFrom({ read }: FieldModel): string {
  if (read?.from === 'column') return `from a column of the type ${read.column_type ?? 'unknown'}`
  return read?.from === 'document' ? `from the key "${read.key}" of a document` : 'from no column'
}
