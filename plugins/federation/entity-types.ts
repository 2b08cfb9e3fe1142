import { type Coercer, compileCoercer, shapeOf, type TypeRef } from '../../core/doors/front.ts'
import type { FieldModel, ObjectType, QueryModel, SchemaModel } from '../../core/doors/plugin.ts'
import { federationOf } from './block.ts'
import type { EntityKey } from './check/owners.ts'

/** A type, or an interface, of which representations are answered. */
export interface EntityType {
  readonly name: string
  readonly keys: readonly KeyReader[]
  /** The types whose rows it may be: itself, or those that implement it. */
  readonly members: readonly EntityMember[]
}

export interface EntityMember {
  readonly type: ObjectType
  /** By key, whose guards and rules hold; `undefined`: those of all queries that give the type. */
  readonly queries: readonly (QueryModel | undefined)[]
  /** By wire name of a field that is computed: what it requires. */
  readonly required: ReadonlyMap<string, readonly PartReader[]>
}

/** A key of a type, by its parts. */
export interface KeyReader {
  /** What `rows` are asked for by: one way, or several. */
  readonly by: string | readonly string[]
  readonly parts: readonly PartReader[]
}

/** One value of a representation. */
export interface PartReader {
  /** As it is written: `study.caseNumber`. */
  readonly name: string
  readonly path: readonly string[]
  /** @throws for what is no value of its type */
  readonly coerce: Coercer
}

/** By name, as `__typename` of a representation says it. */
export function entityTypes(schema: SchemaModel): ReadonlyMap<string, EntityType> {
  const { entities, required } = federationOf(schema)
  const found = new Map<string, EntityType>()
  for (const [name, keys] of Object.entries(entities)) {
    const type = schema.types.get(name)
    if (type?.kind !== 'object' && type?.kind !== 'interface') continue
    const objects =
      type.kind === 'object' ? [type] : type.members.filter((member) => entities[member.name] !== undefined)
    found.set(name, {
      name,
      keys: keys.map((paths) => ({
        by: paths.length === 1 ? paths[0]! : paths,
        parts: paths.map((path) => readerOf(type.fields, path, true)),
      })),
      members: objects.map((member) => ({
        type: member,
        queries: keys.map((paths) => ownQuery(schema, member, paths)),
        required: requiredOf(member, required),
      })),
    })
  }
  return found
}

function requiredOf(
  { name, fields }: ObjectType,
  required: Readonly<Record<string, readonly string[]>>,
): EntityMember['required'] {
  const readers = new Map<string, readonly PartReader[]>()
  for (const { wireName } of fields.values()) {
    const paths = required[`${name}.${wireName}`]
    if (paths !== undefined) {
      readers.set(
        wireName,
        paths.map((path) => readerOf(fields, path, false)),
      )
    }
  }
  return readers
}

function readerOf(fields: ReadonlyMap<string, FieldModel>, name: string, isKey: boolean): PartReader {
  const path = name.split('.')
  let within = fields
  let field: FieldModel | undefined
  let inList = false
  for (const part of path) {
    inList ||= field?.list === true
    field = within.get(part)
    if (field === undefined) throw new Error(`There is no field ${name}, which the artifact speaks of`)
    const { named } = field
    within = named.kind === 'object' || named.kind === 'interface' ? named.fields : new Map()
  }
  const { type, named } = field!
  // Items of a list are read where the list is: as JSON, in the database.
  if (inList) return { name, path: path.slice(0, 1), coerce: (value) => value }
  return { name, path, coerce: compileCoercer(isKey ? notNull(type) : { ...type, nullable: true }, shapeOf(named)) }
}

function notNull(type: TypeRef): TypeRef {
  return { ...type, nullable: false }
}

/**
 * The query that gives one row by exactly this key: an author who wrote it has said who may have a row by it, as with `node`.
 * Of other keys it says nothing: who may look for a user by number may not look for one by address. Without one whoever asks
 * has to satisfy all queries that give the type.
 */
function ownQuery(schema: SchemaModel, type: ObjectType, key: EntityKey): QueryModel | undefined {
  return [...schema.queries.values()].find(
    ({ named, list, arguments: given }) =>
      named === type && !list && key.length === given.size && key.every((path) => given.has(path)),
  )
}
