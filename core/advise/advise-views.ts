import type { DatabaseModel } from '../contract/database-model.ts'
import { qualified, sourceOf } from '../introspect/qualified.ts'
import type { SchemaModel } from '../schema/model.ts'
import type { Advice } from './advice.ts'
import type { BaseColumns } from './base-columns.ts'
import type { DatabaseFacts } from './read-facts.ts'
import { readObstacles } from './view-obstacles.ts'

/**
 * Advises on views of the schema that compute all their rows in each read, because their query has a clause, such as
 * LIMIT, that must run before the filter of the read.
 * @param base maps columns of views to columns of tables
 */
export function adviseViews(
  schema: SchemaModel,
  { relations }: DatabaseModel,
  base: BaseColumns,
  facts: DatabaseFacts,
): readonly Advice[] {
  const usedBy = new Map<string, string[]>()
  for (const source of schema.sources.values()) {
    const relation = base.relationOf(source)
    if (relation?.kind !== 'view') continue
    usedBy.set(qualified(relation), typesOver(schema, source.name, source.schema))
  }
  return relations.flatMap((relation) => {
    const used = usedBy.get(qualified(relation))
    const obstacles = used === undefined ? [] : readObstacles(facts.views.get(qualified(relation)) ?? '')
    if (obstacles.length === 0) return []
    return [
      {
        rule: 'slow-view',
        subject: sourceOf(relation),
        level: obstacles.some(({ level }) => level === 'warning') ? 'warning' : 'info',
        weight: obstacles.length,
        message: obstacles.map(({ reason }) => reason).join('; '),
        statements: [],
        usedBy: used!,
      } satisfies Advice,
    ]
  })
}

function typesOver({ types }: SchemaModel, name: string, schema: string | undefined): string[] {
  return [...types.values()].flatMap((type) =>
    type.kind === 'object' && type.source?.name === name && type.source.schema === schema ? [type.name] : [],
  )
}
