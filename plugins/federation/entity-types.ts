import { type Coercer, compileCoercer, shapeOf, type TypeRef } from '../../core/doors/front.ts'
import type { FieldModel, ObjectType, QueryModel, SchemaModel } from '../../core/doors/plugin.ts'
import { federationOf } from './block.ts'
import type { EntityKey } from './check/owners.ts'

/** An entity type or interface whose rows a router can fetch through `_entities`. */
export interface EntityType {
  readonly name: string
  readonly keys: readonly KeyReader[]
  /** Object types of the rows: the type itself, or the types that implement the interface and are entities. */
  readonly members: readonly EntityMember[]
}

export interface EntityMember {
  readonly type: ObjectType
  /**
   * For each key, the query that finds a row by this key, whose access rules apply. `undefined`: there is none, so the
   * rules of all queries that return the type apply.
   */
  readonly queries: readonly (QueryModel | undefined)[]
  /** Readers of the values that a computed field requires (`@requires`), by GraphQL field name. */
  readonly required: ReadonlyMap<string, readonly PartReader[]>
}

/** Reads an entity key from a representation. */
export interface KeyReader {
  /** Path of the key field, or paths of several, as in the selection `rows` of an operation. */
  readonly by: string | readonly string[]
  readonly parts: readonly PartReader[]
}

/** Reads and validates one value of a representation. */
export interface PartReader {
  /** Path of the value in the representation, with dots: `study.caseNumber`. */
  readonly name: string
  readonly path: readonly string[]
  /** Validates the value and converts it to its type. @throws an error for an invalid value */
  readonly coerce: Coercer
}

/** Returns the entity types of a schema by the `__typename` of their representations. */
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
    if (field === undefined) throw new Error(`There is no field ${name}, which the artifact names`)
    const { named } = field
    within = named.kind === 'object' || named.kind === 'interface' ? named.fields : new Map()
  }
  const { type, named } = field!
  // The database reads the items of a list, from JSON.
  if (inList) return { name, path: path.slice(0, 1), coerce: (value) => value }
  return { name, path, coerce: compileCoercer(isKey ? notNull(type) : { ...type, nullable: true }, shapeOf(named)) }
}

function notNull(type: TypeRef): TypeRef {
  return { ...type, nullable: false }
}

/**
 * Returns the query that finds a single row by exactly this key. Its guards define who may read a row by this key, as with `node`. They do not
 * apply to other keys: a caller who may find a user by id may not find one by mail address. Without such a query, the caller must satisfy
 * the guards of all queries that return the type.
 */
function ownQuery(schema: SchemaModel, type: ObjectType, key: EntityKey): QueryModel | undefined {
  return [...schema.queries.values()].find(
    ({ named, list, arguments: given }) =>
      named === type && !list && key.length === given.size && key.every((path) => given.has(path)),
  )
}
