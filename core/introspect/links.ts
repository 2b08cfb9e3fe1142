import type { ModelForeignKey, ModelRelation } from '../contract/database-model.ts'
import { qualified } from './qualified.ts'
import type { Layout, Link, Subject } from './subject.ts'

/**
 * Adds to the layout of a proposed schema a relation field for each foreign key between its types, in both directions.
 * Reports foreign keys that cannot be used.
 */
export function findLinks(layout: Layout): void {
  const reverse: (readonly [Subject, Link])[] = []
  for (const subject of layout.subjects) {
    for (const key of subject.relation.foreignKeys) {
      const target = layout.subjectOf(key.references)
      const problem = keyProblem(subject.relation, key, target?.relation)
      if (target === undefined || problem !== null) {
        const reason = problem ?? `references ${qualified(key.references)}, which is not in the schema`
        layout.report.push({ kind: 'relation', name: `${qualified(subject.relation)}.${key.name}`, reason })
        continue
      }
      const forward = forwardOf(subject, key, target)
      subject.links.push(forward)
      reverse.push([target, reverseOf(subject, key, forward)])
    }
  }
  for (const [subject, link] of reverse) subject.links.push(link)
}

/** Returns the reason why a foreign key cannot be a relation; `null`: it can. */
export function keyProblem(
  { columns }: ModelRelation,
  key: ModelForeignKey,
  target: ModelRelation | undefined,
): string | null {
  if (target === undefined) return null
  if (key.columns.length !== key.references.columns.length || key.columns.length === 0)
    return 'has a different number of columns on its sides'
  const isReadable = (all: ModelRelation['columns'], name: string): boolean =>
    all.some((column) => column.name === name && column.unreadable !== true)
  const hidden =
    key.columns.find((name) => !isReadable(columns, name)) ??
    key.references.columns.find((name) => !isReadable(target.columns, name))
  return hidden === undefined ? null : `uses the column ${hidden}, which the role may not read`
}

function forwardOf({ relation, key: own }: Subject, key: ModelForeignKey, target: Subject): Link {
  const notNull = key.columns.every((name) => relation.columns.find((column) => column.name === name)?.notNull === true)
  return {
    direction: 'forward',
    key,
    target,
    list: false,
    // Policies may hide the row that a key leads to.
    nullable: !notNull || target.relation.rowSecurity !== undefined,
    from: key.columns,
    to: key.references.columns,
    counterpart: null,
    replaces: replacedBy(key, own ?? []),
  }
}

function reverseOf(child: Subject, key: ModelForeignKey, forward: Link): Link {
  const { primaryKey, uniqueKeys } = child.relation
  const isUnique = [primaryKey, ...uniqueKeys].some(
    (unique) => unique.length > 0 && unique.every((name) => key.columns.includes(name)),
  )
  return {
    direction: 'reverse',
    key,
    target: child,
    list: !isUnique,
    nullable: isUnique,
    from: key.references.columns,
    to: key.columns,
    counterpart: forward,
    replaces: [],
  }
}

/**
 * Returns the columns of a foreign key that hold nothing but the reference. A column of the own key stays a field, and
 * so does a column that a composite key shares with the other side by its name, such as `tenant_id`.
 */
function replacedBy({ columns, references }: ModelForeignKey, own: readonly string[]): readonly string[] {
  return columns.filter((name, i) => {
    if (own.includes(name)) return false
    return columns.length === 1 || references.columns[i] !== name
  })
}
