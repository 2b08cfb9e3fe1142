import { toSnakeCase } from '../base/util/naming.ts'
import type { Subject } from './layout.ts'
import type { Link } from './links.ts'

const PREFIX = /^(?:v|tv|tb|va|ta|rv|vr)_/

/**
 * Does the compiler find the columns of the link by their names (docs/reference/schema-json.md#where-values-come-from)? When in doubt, no:
 * then the schema names them.
 */
export function isFoundByName(subject: Subject, link: Link): boolean {
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

/** Has the other type one reference to this one, whose columns can be named, and no other column that looks like one? */
function isOnlyReference(subject: Subject, { target, counterpart, to }: Link): boolean {
  const references = target.links.filter((other) => other.target === subject && !other.list)
  if (references.length !== 1 || references[0] !== counterpart) return false
  const entity = toSnakeCase(subject.type)
  return [`fk_${entity}`, `${entity}_id`].every((name) => name === to[0] || !has(target, name))
}

/** Returns the column that the compiler takes as the other end of a reference; `null`: it depends on the types of several. */
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
