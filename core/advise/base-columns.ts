import type { DatabaseModel, ModelColumn, ModelRelation } from '../contract/database-model.ts'
import { readViewShape, type ViewShape } from '../dialects/view-shape/read-view-shape.ts'
import { nameOf, tokensOf } from '../dialects/view-shape/tokens.ts'
import { qualified } from '../introspect/qualified.ts'
import type { CompiledSource } from '../schema/compiled.ts'
import type { DatabaseFacts } from './read-facts.ts'
import { readObstacles } from './view-obstacles.ts'

/** A column of a table. Only a table column can have an index; a column of a view cannot. */
export interface BaseColumn {
  readonly relation: ModelRelation
  readonly column: ModelColumn
}

/** Views over views are followed to this depth. */
const DEPTH = 8

/**
 * Traces columns of views to the table columns that they show, also through views over views, because only table
 * columns can have an index.
 */
export class BaseColumns {
  readonly #relations = new Map<string, ModelRelation>()
  readonly #visible = new Map<string, ModelRelation>()
  readonly #shapes = new Map<string, ViewShape | null>()
  readonly #facts: DatabaseFacts

  constructor({ relations }: DatabaseModel, facts: DatabaseFacts) {
    this.#facts = facts
    for (const relation of relations) {
      this.#relations.set(qualified(relation), relation)
      if (relation.visible) this.#visible.set(relation.name, relation)
    }
  }

  /** @returns `null`: the source is in another database, or is not part of the model */
  relationOf({ schema, name, database }: CompiledSource): ModelRelation | null {
    if (database !== undefined) return null
    return (
      this.#relations.get(qualified({ name, ...(schema === undefined ? {} : { schema }) })) ??
      this.#visible.get(name) ??
      null
    )
  }

  /** @returns `null`: the column is an expression, or its view cannot be analysed */
  of(source: CompiledSource, name: string): BaseColumn | null {
    const relation = this.relationOf(source)
    return relation === null ? null : this.#find(relation, name, 0)
  }

  #find(relation: ModelRelation, name: string, depth: number): BaseColumn | null {
    if (relation.kind === 'foreign table' || depth > DEPTH) return null
    if (relation.kind !== 'view') {
      const column = relation.columns.find((one) => one.name === name)
      return column === undefined ? null : { relation, column }
    }
    const shape = this.#shapeOf(relation)
    if (shape === null) return null
    for (const column of shape.columns) {
      if (column === null || ('all' in column ? false : column.as !== name)) continue
      const of = 'all' in column ? column.all : column.of
      const joins = of === null ? shape.joins : shape.joins.filter(({ alias }) => alias === of)
      if (joins.length !== 1) continue
      const target = this.#named(joins[0]!.relation)
      const found = target === null ? null : this.#find(target, 'all' in column ? name : column.name, depth + 1)
      if (found !== null) return found
    }
    return null
  }

  #shapeOf(relation: ModelRelation): ViewShape | null {
    const key = qualified(relation)
    const known = this.#shapes.get(key)
    if (known !== undefined) return known
    const text = this.#facts.views.get(key) ?? ''
    const isOpaque = readObstacles(text).some(({ level }) => level === 'warning')
    const shape = isOpaque ? null : readViewShape(text)
    this.#shapes.set(key, shape)
    return shape
  }

  /** @param text a name as the definition of a view has it, with quotes and schema */
  #named(text: string | null): ModelRelation | null {
    const names = (text === null ? null : tokensOf(text))?.filter((token) => token !== '.') ?? []
    const parts = names.flatMap((token) => (typeof token === 'string' ? [nameOf(token)] : []))
    if (parts.length === 0) return null
    return (parts.length === 1 ? this.#visible.get(parts[0]!) : this.#relations.get(parts.join('.'))) ?? null
  }
}
