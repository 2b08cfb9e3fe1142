import { toSnakeCase } from '../../base/util/naming.ts'
import type { DatabaseModel, ModelRelation } from '../../contract/database-model.ts'
import { qualified } from '../../introspect/qualified.ts'
import type {
  AuthoredEnum,
  AuthoredField,
  AuthoredMutation,
  AuthoredSchema,
  AuthoredType,
} from '../../schema/authored.ts'
import { isListRef, namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'

/** A difference between the schema of a project and its database, such as a column without a field. */
export interface Disagreement {
  /** The side that lacks the element. `neither`: both sides have it, with different types. */
  readonly missing: 'schema' | 'database' | 'neither'
  readonly kind: 'type' | 'field' | 'relation' | 'enum value' | 'mutation'
  /** Name of the differing element in the project's schema, or in the proposed one: `Album.title`. */
  readonly name: string
  /** The difference as the end of a sentence that begins with `name`: `has no column`. */
  readonly message: string
}

export interface ComparedSchemas {
  /** The schema in the project's files. */
  readonly authored: AuthoredSchema
  /** The schema that svc proposes for the database as it is now. */
  readonly proposed: AuthoredSchema
  /**
   * The schema that svc proposed when it last wrote the project's files. Elements that it has and `authored` lacks were
   * removed by a person. `null`: svc never wrote the files.
   */
  readonly base: AuthoredSchema | null
  /** Model of all objects of the database, including those that the proposal leaves out. */
  readonly model: DatabaseModel
}

/**
 * Compares the schema of a project with its database for `svc introspect --diff`: types, fields, relations, values of
 * enums, mutations.
 */
export function compareSchemas(compared: ComparedSchemas): readonly Disagreement[] {
  const { authored, proposed, base, model } = compared
  const lookUp = relationLookUp(model)
  const proposals = bySource(proposed.types ?? [], lookUp)
  const before = bySource(base?.types ?? [], lookUp)
  const own = bySource(authored.types ?? [], lookUp)
  const isPlain = isPlainIn(compared)
  const found: Disagreement[] = []
  for (const type of authored.types ?? []) {
    if (type.sql_source === undefined || type.database !== undefined) continue
    const relation = lookUp(type.sql_source)
    if (relation === undefined) {
      found.push(lacks('type', type.name, `reads ${type.sql_source}, which the database does not have`))
      continue
    }
    const key = qualified(relation)
    const facts = { relation, proposed: proposals.get(key), base: before.get(key), schemas: compared, isPlain }
    found.push(...compareType(type, facts))
  }
  for (const [key, type] of proposals) {
    if (own.has(key) || before.has(key)) continue
    found.push({ missing: 'schema', kind: 'type', name: type.name, message: `${key} has no type` })
  }
  return [...found, ...compareMutations(compared)]
}

function lacks(kind: Disagreement['kind'], name: string, message: string): Disagreement {
  return { missing: 'database', kind, name, message }
}

type LookUp = (source: string) => ModelRelation | undefined

function relationLookUp({ relations }: DatabaseModel): LookUp {
  const byName = new Map<string, ModelRelation>()
  for (const relation of relations) {
    byName.set(qualified(relation), relation)
    if (relation.visible) byName.set(relation.name, relation)
  }
  return (source) => byName.get(source)
}

/** Returns types by the qualified name of their source. Sources that do not exist any more keep their own name. */
function bySource(types: readonly AuthoredType[], lookUp: LookUp): ReadonlyMap<string, AuthoredType> {
  return new Map(
    types.flatMap((type) => {
      if (type.sql_source === undefined || type.database !== undefined) return []
      const relation = lookUp(type.sql_source)
      return [[relation === undefined ? type.sql_source : qualified(relation), type] as const]
    }),
  )
}

interface TypeFacts {
  readonly relation: ModelRelation
  readonly proposed: AuthoredType | undefined
  readonly base: AuthoredType | undefined
  readonly schemas: ComparedSchemas
  /** Tests whether a field has values of a column: its type is a scalar or an enum. */
  readonly isPlain: (field: AuthoredField) => boolean
}

function compareType(type: AuthoredType, facts: TypeFacts): readonly Disagreement[] {
  const { relation, proposed, base, schemas, isPlain } = facts
  const found: Disagreement[] = []
  const columns = new Set(relation.columns.map(({ name }) => name))
  const columnOf = (field: AuthoredField): string => {
    const snake = toSnakeCase(field.name)
    return field.column ?? (!columns.has(snake) && columns.has(field.name) ? field.name : snake)
  }
  const fieldOn = (of: AuthoredType | undefined, column: string) =>
    of?.fields.find((field) => isPlain(field) && columnOf(field) === column)
  // Values of a document are no columns.
  const hasDocument = type.jsonb_column !== undefined || relation.columns.some(({ type: of }) => /^jsonb?$/.test(of))
  for (const field of type.fields) {
    if (!isPlain(field) || field.computed === true) continue
    const column = columnOf(field)
    const name = `${type.name}.${field.name}`
    if (!columns.has(column)) {
      if (field.column !== undefined || !hasDocument)
        found.push(lacks('field', name, `reads column ${column}, which ${qualified(relation)} does not have`))
      continue
    }
    const now = fieldOn(proposed, column)
    if (now !== undefined) found.push(...compareField(name, field, now, fieldOn(base, column), schemas))
  }
  for (const field of proposed?.fields ?? []) {
    const name = `${type.name}.${field.name}`
    if (!isPlain(field)) {
      if (hasField(type, field) || hasField(base, field)) continue
      found.push({ missing: 'schema', kind: 'relation', name, message: `to ${field.type} has no field` })
      continue
    }
    const column = columnOf(field)
    if (fieldOn(type, column) !== undefined || fieldOn(base, column) !== undefined) continue
    const message = `column ${column} of ${qualified(relation)} has no field`
    found.push({ missing: 'schema', kind: 'field', name, message })
  }
  return found
}

/** Is there a field for the relation: of the same name, or by the same columns? */
function hasField(type: AuthoredType | undefined, { name, relation }: AuthoredField): boolean {
  const key = relation === undefined ? null : JSON.stringify(relation)
  return (
    type?.fields.some((field) => field.name === name || (key !== null && JSON.stringify(field.relation) === key)) ??
    false
  )
}

/** Returns a test for fields with values of a column: their type is a scalar or an enum. */
function isPlainIn({ authored, proposed, base }: ComparedSchemas): (field: AuthoredField) => boolean {
  const all = [authored, proposed, base].flatMap((schema) => [
    ...(schema?.types ?? []),
    ...(schema?.interfaces ?? []),
    ...(schema?.unions ?? []),
  ])
  const names = new Set(all.map(({ name }) => name))
  return ({ type }) => {
    const ref = parseTypeRef(type)
    return ref === null || !names.has(namedTypeOf(ref).name)
  }
}

function compareField(
  name: string,
  own: AuthoredField,
  now: AuthoredField,
  base: AuthoredField | undefined,
  schemas: ComparedSchemas,
): readonly Disagreement[] {
  if (own.type === now.type) return compareEnums(own, now, schemas)
  const isNonNull = (type: string): boolean => type.endsWith('!')
  const message = `is ${own.type}, and the database has ${now.type}`
  const differs: Disagreement = { missing: 'neither', kind: 'field', name, message }
  // A person chose another type than the one that was proposed; the database has not changed since.
  if (base?.type === now.type) return isNonNull(own.type) && !isNonNull(now.type) ? [differs] : []
  if (base?.type === own.type) return [differs]
  const isStricter = isNonNull(own.type) && !isNonNull(now.type)
  return isStricter || isListOf(own.type) !== isListOf(now.type) ? [differs] : compareEnums(own, now, schemas)
}

function isListOf(type: string): boolean {
  const ref = parseTypeRef(type)
  return ref !== null && isListRef(ref)
}

function compareEnums(
  own: AuthoredField,
  now: AuthoredField,
  { authored, proposed, base }: ComparedSchemas,
): readonly Disagreement[] {
  const [mine, theirs] = [enumOf(own, authored), enumOf(now, proposed)]
  if (mine === undefined || theirs === undefined) return []
  const [has, wants] = [valuesOf(mine), valuesOf(theirs)]
  const removed = valuesOf(base?.enums?.find(({ name }) => name === theirs.name))
  return [
    ...[...has.keys()].flatMap((value) =>
      wants.has(value)
        ? []
        : [lacks('enum value', `${mine.name}.${has.get(value)}`, `is '${value}', which the database does not have`)],
    ),
    ...[...wants].flatMap(([value, name]) =>
      has.has(value) || removed.has(value)
        ? []
        : [
            {
              missing: 'schema' as const,
              kind: 'enum value' as const,
              name: `${mine.name}.${name}`,
              message: `'${value}' has no value in the schema`,
            },
          ],
    ),
  ]
}

function enumOf({ type }: AuthoredField, { enums = [] }: AuthoredSchema): AuthoredEnum | undefined {
  const ref = parseTypeRef(type)
  return ref === null ? undefined : enums.find(({ name }) => name === namedTypeOf(ref).name)
}

/** Returns names by the value in the database. */
function valuesOf(of: AuthoredEnum | undefined): ReadonlyMap<string, string> {
  return new Map((of?.values ?? []).map(({ name, value = name }) => [value, name]))
}

function compareMutations({ authored, proposed, base, model }: ComparedSchemas): readonly Disagreement[] {
  const sourceOf = ({ name, sql_source: source }: Pick<AuthoredMutation, 'name' | 'sql_source'>): string =>
    source ?? `fn_${toSnakeCase(name)}`
  const own = new Set((authored.mutations ?? []).map(sourceOf))
  const before = new Set((base?.mutations ?? []).map(sourceOf))
  const fresh = (proposed.mutations ?? []).filter((one) => !own.has(sourceOf(one)) && !before.has(sourceOf(one)))
  const found: Disagreement[] = fresh.map((one) => ({
    missing: 'schema',
    kind: 'mutation',
    name: one.name,
    message: `function ${sourceOf(one)} has no mutation`,
  }))
  // A database without functions has scripts in their place.
  if (model.functions.length === 0 && before.size === 0) return found
  const known = new Set(model.functions.flatMap((one) => [qualified(one), ...(one.visible ? [one.name] : [])]))
  const gone = (authored.mutations ?? []).filter(
    (one) => one.database === undefined && before.has(sourceOf(one)) && !known.has(sourceOf(one)),
  )
  return [
    ...gone.map((one) => lacks('mutation', one.name, `calls ${sourceOf(one)}, which the database does not have`)),
    ...found,
  ]
}
