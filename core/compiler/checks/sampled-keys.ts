import { didYouMean, listNames } from '../../base/util/nearest.ts'
import type { AuthoredSchema, SourceLocation } from '../../schema/authored.ts'
import type { CompiledSchema, CompiledType } from '../../schema/compiled.ts'
import { findScalar } from '../../schema/scalars.ts'
import { namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'
import { Report, type Warning } from '../ground/report.ts'

/** Number of rows of a view or table whose JSON documents are sampled. */
export const SAMPLED_ROWS = 100

/**
 * A JSON column that contains the rows of a type as documents. svc samples it to check that the keys of fields exist.
 */
export interface SampledColumn {
  /** View or table with the column, by its key in `CompiledSchema.sources`. */
  readonly source: string
  readonly column: string
}

/**
 * What was found in the sampled documents of one column: the JSON types of the values, by key. Empty when no document
 * is an object.
 */
export type SampledKeys = ReadonlyMap<string, ReadonlySet<string>>

/** Returns the JSON columns that contain documents of the schema's types, each once. */
export function sampledColumns({ types }: Pick<CompiledSchema, 'types'>): readonly SampledColumn[] {
  const found = new Map<string, SampledColumn>()
  for (const type of types) {
    const column = documentOf(type)
    if (column !== null) found.set(sampleKey(column), column)
  }
  return [...found.values()]
}

export function sampleKey({ source, column }: SampledColumn): string {
  return JSON.stringify([source, column])
}

/**
 * Warns of fields whose JSON key does not occur in sampled documents, or occurs with another JSON type. It is no error,
 * because rows outside the sample may have the key.
 * @param samples result of the sampling, by {@link sampleKey}; a column without an entry was not sampled
 */
export function checkSampledKeys(
  authored: AuthoredSchema,
  { types, custom_scalars: scalars }: Pick<CompiledSchema, 'types' | 'custom_scalars'>,
  samples: ReadonlyMap<string, SampledKeys>,
): readonly Warning[] {
  const report = new Report()
  for (const type of types) {
    const column = documentOf(type)
    const sampled = column === null ? undefined : samples.get(sampleKey(column))
    if (column === null || sampled === undefined || sampled.size === 0) continue
    for (const field of type.fields) {
      if (field.read?.from !== 'document' || field.read.document !== column.column) continue
      const { key } = field.read
      const at = placesOf(authored, type.name, field.name)
      const where = `${type.name}.${field.name}`
      const kinds = sampled.get(key)
      if (kinds === undefined) {
        const hint = didYouMean(key, sampled.keys()) || ` They have: ${listNames([...sampled.keys()])}.`
        report.warn(
          'unseen-key',
          `${where}: no document of ${column.source} that was looked at (the first ${SAMPLED_ROWS} rows) has the key "${key}".${hint}`,
          ...at,
        )
      } else if (kinds.has('string') && isNumber(field.type, scalars)) {
        report.warn(
          'number-as-text',
          `${where} is ${field.type}, and documents of ${column.source} hold texts under the key "${key}". Cast it in the view, or declare it as Decimal, BigInt or String.`,
          ...at,
        )
      }
    }
  }
  return report.warnings
}

function documentOf({ sql_source: source, jsonb_column: column }: CompiledType): SampledColumn | null {
  return source === undefined || column === undefined ? null : { source, column }
}

/**
 * Is the scalar a JSON number on the wire? Scalars that are texts there may be stored as texts, so that no digit is
 * lost.
 */
function isNumber(type: string, scalars: CompiledSchema['custom_scalars']): boolean {
  const ref = parseTypeRef(type)
  if (ref === null || ref.kind === 'list') return false
  const { name } = namedTypeOf(ref)
  const scalar = findScalar(scalars.find((one) => one.name === name)?.base_type ?? name)
  return scalar?.group === 'number' && scalar.wire !== 'string'
}

type LocatedElement = { readonly $place?: SourceLocation }

/** Returns the elements for the location of a message. The schema is not normalized, so that lists may be maps. */
function placesOf(authored: AuthoredSchema, type: string, field: string): readonly (LocatedElement | undefined)[] {
  const named = (list: unknown, name: string): (LocatedElement & { readonly fields?: unknown }) | undefined =>
    Array.isArray(list)
      ? list.find((one) => one?.name === name)
      : (list as Record<string, LocatedElement> | undefined)?.[name]
  const owner = named(authored.types, type)
  return [named(owner?.fields, field), owner]
}
