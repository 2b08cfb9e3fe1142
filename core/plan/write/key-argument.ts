import type { ArgumentModel, MutationModel } from '../../schema/model.ts'

const KEYS = new Set(['ID', 'Int', 'UUID', 'String', 'BigInt'])

/**
 * The id of the row that a mutation is about, as its arguments say it: `id`, as an argument of its own or in an input object.
 * @param given by wire name
 * @returns `null`: they do not say
 */
export function keyArgument(
  { arguments: declared }: MutationModel,
  given: Readonly<Record<string, unknown>>,
): string | null {
  for (const argument of declared.values()) {
    if (isKey(argument.name, argument)) return textOf(given[argument.wireName])
  }
  for (const { wireName, named, type } of declared.values()) {
    if (named.kind !== 'input' || type.kind === 'list') continue
    const input = given[wireName]
    if (typeof input !== 'object' || input === null) continue
    for (const field of named.fields.values()) {
      if (isKey(field.name, field)) return textOf((input as Record<string, unknown>)[field.wireName])
    }
  }
  return null
}

/** Does every call of it say which row it is about? */
export function namesKey({ arguments: declared }: Pick<MutationModel, 'arguments'>): boolean {
  return [...declared.values()].some((argument) => isKey(argument.name, argument) && !argument.type.nullable)
}

function isKey(name: string, { type, named }: Pick<ArgumentModel, 'type' | 'named'>): boolean {
  return type.kind === 'named' && KEYS.has(named.name) && name === 'id'
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : null
}
