import type { AuthoredField, AuthoredType } from '../schema/authored.ts'
import type { ColumnField } from './column-fields.ts'
import type { Subject } from './layout.ts'
import type { Link } from './links.ts'
import { isConventional } from './name-fields.ts'
import { wordsOf } from './names/words.ts'
import { sourceOf } from './qualified.ts'
import { isFoundByName } from './relation-convention.ts'

/** Writes a subject as a type: columns and references in the order of the relation, then the rows that refer to it. */
export function proposeType(subject: Subject): AuthoredType {
  const { relation, type, links } = subject
  const written = new Set<Link>()
  const fields: AuthoredField[] = []
  for (const column of relation.columns) {
    const field = subject.columns.find((one) => one.column.name === column.name)
    if (field !== undefined && subject.names.has(field)) fields.push(columnField(subject, field))
    for (const link of links) {
      if (link.direction === 'reverse' || written.has(link) || link.from.at(-1) !== column.name) continue
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

/** Returns the option `description` of a comment. */
export function descriptionOf(comment: string | undefined): { readonly description?: string } {
  const text = comment?.trim() ?? ''
  return text === '' ? {} : { description: text }
}

/** Returns the option `key`, unless the key is `id` or `pk_{entity}`. */
function keyOf({ key, type, relation }: Subject): Pick<AuthoredType, 'key'> {
  if (key === null) return {}
  const [only] = key
  if (key.length > 1 || only === undefined) return { key }
  const entities = [type, relation.name.replace(/^(?:v|tv|tb|va|ta|rv|vr)_/, '')].map((of) => wordsOf(of).join('_'))
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
  const { target, list, nullable, from, to } = link
  const name = subject.names.get(link)!
  const item = target.type
  const only = <T>(names: readonly T[]): T | readonly T[] => (names.length === 1 ? names[0]! : names)
  return {
    name,
    type: list ? `[${item}!]!` : nullable ? item : `${item}!`,
    ...(isFoundByName(subject, link) ? {} : { relation: { from: only(from), to: only(to) } }),
  }
}
