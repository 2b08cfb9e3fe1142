import type { ArgumentModel, MutationModel } from '../../../schema/model.ts'

const KEYS = new Set(['ID', 'Int', 'UUID', 'String', 'BigInt'])

/**
 * Returns the id of the row that a mutation changes, which is its argument `id`, or `id` in an input object.
 * @param given the arguments by name
 * @returns `null`: the arguments contain no `id`
 */
export function keyArgument(mutation: MutationModel, given: Readonly<Record<string, unknown>>): string | null {
  return keyArguments(mutation, given)[0] ?? null
}

/**
 * Returns the values of all arguments that may name the row of a mutation, without duplicates: `id`, and `id` in input
 * objects. Which of them counts is up to the mutation's function.
 * @param given the arguments by name
 */
export function keyArguments(
  { arguments: declared }: Pick<MutationModel, 'arguments'>,
  given: Readonly<Record<string, unknown>>,
): readonly string[] {
  const found = new Set<string>()
  for (const argument of declared.values()) {
    const { wireName, name, named, type } = argument
    const value = given[wireName]
    if (isKey(name, argument)) add(found, value)
    if (named.kind !== 'input' || type.kind === 'list' || typeof value !== 'object' || value === null) continue
    for (const field of named.fields.values()) {
      if (isKey(field.name, field)) add(found, (value as Record<string, unknown>)[field.wireName])
    }
  }
  return [...found]
}

/** Tests whether a mutation has a required argument `id`, so that every call names a row. */
export function namesKey({ arguments: declared }: Pick<MutationModel, 'arguments'>): boolean {
  return [...declared.values()].some((argument) => isKey(argument.name, argument) && !argument.type.nullable)
}

function isKey(name: string, { type, named }: Pick<ArgumentModel, 'type' | 'named'>): boolean {
  return type.kind === 'named' && KEYS.has(named.name) && name === 'id'
}

function add(found: Set<string>, value: unknown): void {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') found.add(String(value))
}
