import { didYouMean, listNames, type SchemaModel, SvcError } from '../../core/doors/plugin.ts'
import type { Override } from './options.ts'

interface Named {
  readonly name: string
}

/**
 * The types that have a circuit: what other services ask for by key (`key_fields`, `keys`, `[[federation.entities]]`), and what is
 * named in `per_database`.
 * @throws SvcError SVC_CONFIG_INVALID: `per_database` names what is no type with rows of its own, or a type twice
 */
export function findEntities(
  schema: SchemaModel,
  overrides: readonly Override[],
  configured: readonly Named[] = [],
): ReadonlySet<string> {
  const declared = new Set([...configured.map(nameOf), ...schema.compiled.types.filter(hasKey).map(nameOf)])
  const rowTypes = [...schema.types.values()].flatMap((type) =>
    type.kind === 'object' && type.source !== null ? [type.name] : [],
  )
  const found = new Set(rowTypes.filter((name) => declared.has(name)))
  const named = new Set<string>()
  for (const { database } of overrides) {
    if (!rowTypes.includes(database)) throw unknownEntity(database, rowTypes)
    if (named.has(database)) throw invalid(`"${database}" stands there twice.`)
    named.add(database)
    found.add(database)
  }
  return found
}

function hasKey(type: object): boolean {
  return ['key_fields', 'keys'].some((key) => {
    const value = (type as Readonly<Record<string, unknown>>)[key]
    return Array.isArray(value) && value.length > 0
  })
}

function nameOf({ name }: Named): string {
  return name
}

function unknownEntity(name: string, types: readonly string[]): SvcError {
  return invalid(
    `"${name}" is no type of the schema that has rows.${didYouMean(name, types)} Types: ${listNames(types) || 'none'}.`,
  )
}

function invalid(reason: string): SvcError {
  return new SvcError('SVC_CONFIG_INVALID', `federation.circuit_breaker.per_database: ${reason}`)
}
