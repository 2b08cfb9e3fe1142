import { toSnakeCase } from '../base/util/naming.ts'
import type { AuthoredField, AuthoredRelation, AuthoredType } from '../schema/authored.ts'
import { descriptionOf } from './description-of.ts'
import { isConventional } from './name-fields.ts'
import { wordsOf } from './names/words.ts'
import { sourceOf } from './qualified.ts'
import type { ColumnField, Link, Subject } from './subject.ts'

/** Prefixes of sources, as the compiler knows them. */
const PREFIX = /^(?:v|tv|tb|va|ta|rv|vr)_/

/**
 * Creates the schema type for a table or view: fields for its columns and references in the order of the columns, then
 * lists of rows that refer to it.
 */
export function proposeType(subject: Subject): AuthoredType {
  const { relation, type, links } = subject
  const written = new Set<Link>()
  const fields: AuthoredField[] = []
  for (const column of relation.columns) {
    const field = subject.columns.find((one) => one.column.name === column.name)
    if (field !== undefined && subject.names.has(field)) fields.push(columnField(subject, field))
    for (const link of links) {
      if (link.direction !== 'forward' || written.has(link) || link.from.at(-1) !== column.name) continue
      written.add(link)
      fields.push(linkField(subject, link))
    }
  }
  for (const link of links) if (!written.has(link)) fields.push(linkField(subject, link))
  return {
    name: type,
    ...descriptionOf(relation.comment),
    sql_source: sourceOf(relation),
    ...keyOf(subject),
    fields,
  }
}

/** Returns the option `key`, unless the key is `id` or `pk_{entity}`. */
function keyOf({ key, type, relation }: Subject): Pick<AuthoredType, 'key'> {
  if (key === null) return {}
  const [only] = key
  if (key.length > 1 || only === undefined) return { key }
  const entities = [type, relation.name.replace(PREFIX, '')].map((of) => wordsOf(of).join('_'))
  return only === 'id' || entities.some((entity) => only === `pk_${entity}`) ? {} : { key: only }
}

function columnField(subject: Subject, field: ColumnField): AuthoredField {
  const { column, type } = field
  const name = subject.names.get(field)!
  return {
    name,
    type: column.notNull ? `${type}!` : type,
    ...descriptionOf(column.comment),
    ...(isConventional(name, column.name, subject.relation.columns) ? {} : { column: column.name }),
  }
}

function linkField(subject: Subject, link: Link): AuthoredField {
  const { target, list, nullable, from, to, through } = link
  const name = subject.names.get(link)!
  const item = target.type
  return {
    name,
    type: list ? `[${item}!]!` : nullable ? item : `${item}!`,
    ...(isFoundByName(subject, link) ? {} : { relation: { from: only(from), to: only(to), ...joinOf(through) } }),
  }
}

function only<T>(names: readonly T[]): T | readonly T[] {
  return names.length === 1 ? names[0]! : names
}

function joinOf(through: Link['through']): Pick<AuthoredRelation, 'through'> {
  if (through === undefined) return {}
  const { join, from, to } = through
  return { through: { sql_source: sourceOf(join.relation), from: only(from), to: only(to) } }
}

/**
 * Does the compiler find the columns of the link by their names (docs/reference/schema-json.md#where-values-come-from)?
 * When in doubt, no: then the schema names them.
 */
function isFoundByName(subject: Subject, link: Link): boolean {
  if (link.through !== undefined) return false
  const [from, ...moreFrom] = link.from
  const [to] = link.to
  if (from === undefined || to === undefined || moreFrom.length > 0) return false
  const name = toSnakeCase(subject.names.get(link) ?? '')
  // A JSON column holds the object, or all values of the row.
  if (has(subject, name) || hasDocument(subject)) return false
  if (link.direction === 'forward')
    return isReference(subject, name, from) && keyFor(link.target, link.target.type, from) === to
  return link.list && isOnlyReference(subject, link) && keyFor(subject, subject.type, to) === from
}

/** Is the column the first of those that the compiler tries for a reference of this name? */
function isReference(subject: Subject, name: string, column: string): boolean {
  return [`fk_${name}`, `${name}_id`].find((candidate) => has(subject, candidate)) === column
}

/**
 * Has the other type one reference to this one, whose columns can be named, and no other column that looks like one?
 */
function isOnlyReference(subject: Subject, { target, counterpart, to }: Link): boolean {
  const references = target.links.filter((other) => other.target === subject && !other.list)
  if (references.length !== 1 || references[0] !== counterpart) return false
  const entity = toSnakeCase(subject.type)
  return [`fk_${entity}`, `${entity}_id`].every((name) => name === to[0] || !has(target, name))
}

/**
 * Returns the column that the compiler takes as the other end of a reference; `null`: it depends on the types of
 * several.
 */
function keyFor({ relation }: Subject, type: string, reference: string): string | null {
  const entity = toSnakeCase(type)
  const pk = [`pk_${entity}`, `pk_${relation.name.replace(PREFIX, '')}`]
  const { primaryKey } = relation
  const own = [`${entity}_id`, ...(primaryKey.length === 1 ? primaryKey : [])]
  const order = reference.startsWith('fk_') ? [...pk, 'id', ...own] : ['id', ...pk, ...own]
  return order.find((name) => relation.columns.some((column) => column.name === name)) ?? null
}

function has({ relation }: Subject, column: string): boolean {
  return relation.columns.some(({ name }) => name === column)
}

/** Would the compiler read values from the JSON column `data`, because it is no field? */
function hasDocument({ relation, columns }: Subject): boolean {
  const data = relation.columns.find(({ name }) => name === 'data')
  return (data?.type === 'json' || data?.type === 'jsonb') && !columns.some(({ column }) => column === data)
}
