import { didYouMean, listNames, type QueryModel } from '../../core/doors/plugin.ts'
import type { EntityMember, EntityType, KeyReader, PartReader } from './entity-types.ts'

/** Representations of one object type that use the same key. One root field reads them all. */
export interface EntityGroup {
  /** Response key of the internal root field that reads the rows of this group. */
  readonly name: string
  readonly member: EntityMember
  readonly key: KeyReader
  /**
   * Query that finds a row by this key, whose access rules apply; `undefined`: the rules of all queries of the type.
   */
  readonly query: QueryModel | undefined
  readonly keys: unknown[]
  /** The representations as the router sent them. Filled only if computed fields need their values. */
  readonly given: unknown[]
  /** Index of each representation in the argument `representations`. */
  readonly places: number[]
}

/** Error about one representation. `place` is its index in the argument `representations`. */
export interface EntryFault {
  readonly place: number
  readonly message: string
}

export interface GroupedRepresentations {
  readonly groups: readonly EntityGroup[]
  readonly faults: readonly EntryFault[]
}

type Values = Readonly<Record<string, unknown>>

/**
 * Groups entity representations by type and key, so that one root field reads each group. An invalid representation is
 * reported in `faults` and does not affect the others.
 * @param computed returns the selected fields of a type that need values of the representation (`@requires`)
 * @param tells `true` if error messages may name the entity types and keys of the schema
 */
export function groupRepresentations(
  types: ReadonlyMap<string, EntityType>,
  representations: readonly unknown[],
  computed: (member: EntityMember) => readonly string[],
  tells: boolean,
): GroupedRepresentations {
  const groups = new Map<string, EntityGroup>()
  const faults: EntryFault[] = []
  for (const [place, given] of representations.entries()) {
    try {
      add(place, given)
    } catch (error) {
      if (!(error instanceof Wrong)) throw error
      faults.push({ place, message: `Representation ${place}: ${error.message}` })
    }
  }
  return { groups: [...groups.values()], faults }

  function add(place: number, given: unknown): void {
    const values = asObject(given)
    const type = typeOf(types, values, tells)
    const { index, key, value } = readKey(type, values, tells)
    for (const member of type.members) {
      const fields = computed(member)
      for (const field of fields) for (const part of member.required.get(field) ?? []) readPart(part, values)
      // The separator cannot be part of a name, unlike `_`: `A_B` can be a type.
      const name = `${member.type.name}.${type.name === member.type.name ? '' : `${type.name}.`}${index}`
      let group = groups.get(name)
      if (group === undefined) {
        group = { name, member, key, query: member.queries[index], keys: [], given: [], places: [] }
        groups.set(name, group)
      }
      group.keys.push(value)
      group.places.push(place)
      if (fields.length > 0) group.given.push(values)
    }
  }
}

class Wrong extends Error {}

function asObject(given: unknown): Values {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Values
  throw new Wrong('it is no object with "__typename" and the fields of a key.')
}

function typeOf(types: ReadonlyMap<string, EntityType>, values: Values, tells: boolean): EntityType {
  const name = Object.hasOwn(values, '__typename') ? values.__typename : undefined
  if (typeof name !== 'string') throw new Wrong('"__typename" is missing, the name of an entity.')
  const type = types.get(name)
  if (type !== undefined) return type
  const hint = tells ? didYouMean(name, types.keys()) || ` Entities: ${listNames(types.keys())}.` : ''
  throw new Wrong(`"${cut(name)}" is no entity here.${hint}`)
}

/** Finds the first key whose parts all have a value. */
function readKey(
  { name, keys }: EntityType,
  values: Values,
  tells: boolean,
): { readonly index: number; readonly key: KeyReader; readonly value: unknown } {
  for (const [index, key] of keys.entries()) {
    if (!key.parts.every(({ path }) => valueAt(values, path) !== undefined)) continue
    const parts = key.parts.map((part) => readPart(part, values))
    return { index, key, value: typeof key.by === 'string' ? parts[0] : parts }
  }
  if (!tells) throw new Wrong('it has no key.')
  const known = keys.map(({ parts }) => parts.map((part) => part.name).join(', '))
  throw new Wrong(
    `it has no key of ${name}. ${known.length === 1 ? 'The key is' : 'Its keys are'} ${known.join('; or ')}.`,
  )
}

/** @throws Wrong */
function readPart({ name, path, coerce }: PartReader, values: Values): unknown {
  try {
    return coerce(valueAt(values, path) ?? null)
  } catch (error) {
    throw new Wrong(`"${name}": ${(error as Error).message}`)
  }
}

function valueAt(values: Values, path: readonly string[]): unknown {
  let value: unknown = values
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Values)[name]
  }
  return value
}

function cut(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}
