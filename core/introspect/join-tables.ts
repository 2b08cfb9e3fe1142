import type { ModelForeignKey } from '../contract/database-model.ts'
import { joinKeysOf } from './join-keys.ts'
import { keyProblem } from './links.ts'
import { overrideOf, qualified } from './qualified.ts'
import type { Layout, Link, Subject } from './subject.ts'

/** A join table: its rows connect rows of two types (many-to-many). */
export interface JoinTable {
  readonly subject: Subject
  readonly ends: readonly [JoinEnd, JoinEnd]
  /** `true`: the schema gets relations through the table, but no type for its rows. */
  readonly folded: boolean
}

interface JoinEnd {
  readonly key: ModelForeignKey
  readonly target: Subject
}

/**
 * Finds the join tables (decision 0179). One that holds nothing but its two references becomes no type, unless mutations write it, another
 * table refers to it, or its type has a name of the user.
 */
export function findJoinTables(layout: Layout): readonly JoinTable[] {
  const referenced = new Set(
    layout.subjects.flatMap(({ relation }) => relation.foreignKeys.map(({ references }) => qualified(references))),
  )
  return layout.subjects.flatMap((subject): JoinTable[] => {
    const { relation } = subject
    const found = joinKeysOf(relation)
    if (found === null || !found.unique) return []
    const [left, right] = found.keys.map((key) => endOf(layout, subject, key))
    if (left == null || right == null) return []
    const isRequired = found.pair.every(
      (name) =>
        relation.primaryKey.includes(name) || relation.columns.find((column) => column.name === name)?.notNull === true,
    )
    const { joinTypes = false, names } = layout.options
    const isKept = joinTypes || referenced.has(qualified(relation)) || overrideOf(names?.types, relation) !== undefined
    return [{ subject, ends: [left, right], folded: found.bare && isRequired && !isKept }]
  })
}

function endOf(layout: Layout, { relation }: Subject, key: ModelForeignKey): JoinEnd | null {
  const target = layout.subjectOf(key.references)
  return target === undefined || keyProblem(relation, key, target.relation) !== null ? null : { key, target }
}

/**
 * Adds to the types on both sides of each join table a relation field that lists the connected rows of the other type.
 */
export function addJoinLinks(joins: readonly JoinTable[]): void {
  for (const { subject, ends } of joins) {
    const [left, right] = ends
    left.target.links.push(linkTo(subject, left, right))
    right.target.links.push(linkTo(subject, right, left))
  }
}

function linkTo(join: Subject, { key: near }: JoinEnd, { key: far, target }: JoinEnd): Link {
  return {
    direction: 'through',
    key: near,
    target,
    list: true,
    nullable: false,
    from: near.references.columns,
    to: far.references.columns,
    counterpart: null,
    replaces: [],
    through: { join, from: near.columns, to: far.columns },
  }
}
